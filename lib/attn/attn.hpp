#pragma once
// The library as a program of its own uses it: xtensors in, xtensors out. The manual page attn(3) is its index.
//
//     #include <attn/attn.hpp>
//     const xt::xtensor<double, 2> y = attn::attend(q, k, v);

#include <attn/api/attention.hpp>
#include <attn/api/gradients.hpp>
#include <attn/api/layers.hpp>
#include <attn/api/model.hpp>
#include <attn/api/regression.hpp>
#include <attn/core/module.hpp>
