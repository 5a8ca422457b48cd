#include <attn/attention/attend.hpp>
#include <attn/attention/state.hpp>

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

#include <attn/core/source_sink.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace attn;
using support::Random;

namespace {

/// A tensor of which only its outline is in memory.
TensorView outline(const TensorView& x) {
  return {nullptr, x.dtype, x.shape, row_major_strides(x.shape), nullptr, x.name};
}

/// In memory and in blocks of one and of two leaves: the same bits?
void check_same(const AttendInputs& in, const AttendParameters& parameters, const Execution& execution) {
  TensorMap source;
  source.add("k", in.key);
  source.add("v", in.value);
  AttendRequest request;
  request.lse = true;
  const AttendResult whole = attend(in, parameters, request, execution);
  AttendInputs stored = in;
  stored.key = outline(in.key);
  stored.value = outline(in.value);
  for (const std::size_t block : {leaf_keys, 2 * leaf_keys}) {
    const StoredDatabase database{{&source, *source.find("k")}, {&source, *source.find("v")}, block};
    const AttendResult blocks = attend_stored(stored, database, parameters, request, execution);
    const support::Closeness output(blocks.output, whole.output, 0), lse(*blocks.lse, *whole.lse, 0);
    CHECK_MESSAGE(output.ok(), output.worst());
    CHECK_MESSAGE(lse.ok(), lse.worst());
    CHECK(blocks.output.shape == whole.output.shape);
    CHECK(blocks.empty_rows == whole.empty_rows);
  }
}

}  // namespace

TEST_CASE("keys and values in blocks give the same bits as in memory, with every instruction set") {
  ThreadPool pool(2);
  for (const Isa isa : available_isas()) {
    CAPTURE(name_of(isa));
    Execution execution;
    execution.isa = isa;
    execution.pool = &pool;
    Random random(41);
    const AttendInputs four{random.tensor(DType::f32, {2, 4, 5, 16}), random.tensor(DType::f32, {2, 2, 9300, 16}),
                            random.tensor(DType::f32, {2, 2, 9300, 9})};
    AttendParameters causal;
    causal.causal_bottom_right = true;
    causal.window = Window{5700, 0};
    causal.softcap = 3;
    check_same(four, causal, execution);

    AttendInputs packed{random.tensor(DType::f32, {2, 5, 24}), random.tensor(DType::f16, {2, 9300, 12}),
                        random.tensor(DType::f64, {2, 9300, 8})};
    Tensor lengths(DType::i64, {2});
    lengths.data_as<std::int64_t>()[0] = 0;
    lengths.data_as<std::int64_t>()[1] = 4900;
    packed.valid_lens = lengths.view();
    packed.sinks = random.tensor(DType::f64, {4});
    AttendParameters heads;
    heads.heads = 4;
    heads.kv_heads = 2;
    check_same(packed, heads, execution);

    const AttendInputs one_column{random.tensor(DType::f64, {7}), random.tensor(DType::f64, {4097}),
                                  random.tensor(DType::f64, {4097, 2})};
    AttendParameters gaussian;
    gaussian.score = Score::gaussian;
    check_same(one_column, gaussian, execution);

    const AttendInputs bf16{random.tensor(DType::bf16, {2, 40, 24}), random.tensor(DType::bf16, {2, 9300, 24}),
                            random.tensor(DType::bf16, {2, 9300, 8})};
    check_same(bf16, {}, execution);

    // A query whose scores go beyond the range of f32.
    AttendInputs huge{random.tensor(DType::f32, {5, 4}), random.tensor(DType::f32, {9300, 4}),
                      random.tensor(DType::f32, {9300, 2})};
    Tensor query(DType::f32, {5, 4});
    std::copy_n(huge.query.contiguous_data<float>(), 20, query.data_as<float>());
    for (std::size_t c = 0; c < 4; ++c) query.data_as<float>()[c] *= 3e38f / 8;
    huge.query = query.view();
    check_same(huge, {}, execution);
  }
}

TEST_CASE("blocks are as large as memory allows, and never smaller than a leaf") {
  const auto rows = [](std::size_t count) {
    return TensorView{nullptr, DType::f32, {count, 64}, row_major_strides({count, 64}), nullptr, {}};
  };
  const AttendInputs in{rows(10), rows(100000), rows(100000)};
  // 25 leaves are at most 4 nodes: of 15, or of 23.
  constexpr std::size_t states = 4 * 10 * (64 + 2) * 8, result = 10 * (64 + 1) * 4, of_key = 2 * 64 * 4;
  const auto beside_blocks_of = [](std::size_t keys) { return states + result + 2 * of_key * keys; };
  CHECK(keys_within(in, {}, 0) == 4096);
  CHECK(keys_within(in, {}, beside_blocks_of(12288)) == 12288);
  CHECK(keys_within(in, {}, beside_blocks_of(12288) - 1) == 8192);
  CHECK(keys_within(in, {}, beside_blocks_of(100000) - 1) == 98304);
  CHECK(keys_within(in, {}, beside_blocks_of(100000)) == 0);  // all at once
}

TEST_CASE("what needs all keys at once is not for blocks") {
  Random random(42);
  AttendInputs in{random.tensor(DType::f64, {2, 3}), random.tensor(DType::f64, {4, 3}),
                  random.tensor(DType::f64, {4, 1})};
  CHECK(can_attend_stored(in, {}, {}, {}));
  AttendRequest weights;
  weights.stages = {Stage::weights};
  CHECK_FALSE(can_attend_stored(in, {}, weights, {}));
  AttendParameters hard;
  hard.normalize = Normalize::hard;
  CHECK_FALSE(can_attend_stored(in, hard, {}, {}));
  const Execution reference = support::reference();
  CHECK_FALSE(can_attend_stored(in, {}, {}, reference));
  in.past_key = in.key;
  in.past_value = in.value;
  CHECK_FALSE(can_attend_stored(in, {}, {}, {}));
}
