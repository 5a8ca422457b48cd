#include "cli/result.hpp"

#include <utility>

namespace cli {
namespace {

attn::TensorView part_of(const attn::TensorProducer& producer, const void* data, std::size_t bytes) {
  return {data, producer.dtype, {bytes / attn::element_size(producer.dtype)}, {1}, nullptr, {}};
}

}  // namespace

bool may_fail(attn::DType from, attn::DType to) {
  return from != to && !(attn::is_floating(from) && attn::is_floating(to));
}

attn::TensorProducer converted(const attn::TensorProducer& producer, attn::DType dtype) {
  if (producer.dtype == dtype) return producer;
  const auto produce = [producer, dtype](const attn::ByteConsumer& consume) {
    producer.produce([&](const void* data, std::size_t bytes) {
      const attn::TensorView some = attn::cast(part_of(producer, data, bytes), dtype);
      consume(some.data, some.bytes());
    });
  };
  return {dtype, producer.shape, produce, producer.is_counted};
}

attn::TensorProducer watched(const attn::TensorProducer& producer,
                             std::function<void(const attn::TensorView& part)> see, std::function<void()> end) {
  const auto produce = [producer, see = std::move(see), end = std::move(end)](const attn::ByteConsumer& consume) {
    producer.produce([&](const void* data, std::size_t bytes) {
      see(part_of(producer, data, bytes));
      consume(data, bytes);
    });
    end();
  };
  return {producer.dtype, producer.shape, produce, producer.is_counted};
}

}  // namespace cli
