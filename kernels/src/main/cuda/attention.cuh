// What the kernels of attention share: the places of operands, and the effect of a mask.
#pragma once
#include "cairn.cuh"

// The places of an operand's rows.
struct Rows {
  int64 batch;
  int64 head;
  int64 row;
};

// CudaAttention makes it.
struct AttentionPlan {
  int64 batch;
  int64 heads;
  int64 key_heads;
  int64 queries;
  int64 keys;
  int64 size;
  int64 value_size;
  int64 causal;
  int64 counting;  // whether the mask says what counts, rather than what is added
  int64 nan_when_masked;  // whether a query whose keys are all masked is NaN rather than 0
  Rows query;
  Rows key;
  Rows value;
  Rows result;
  int64 mask[4];
};

__device__ __forceinline__ WIDE least() { return (WIDE) __int_as_float(0xff800000); }

__device__ __forceinline__ WIDE masked(WIDE score, const void* mask, int64 at, bool counting) {
  if (mask == nullptr) {
    return score;
  }
  if (counting) {
    return ((const uint8*) mask)[at] != 0 ? score : least();
  }
  return score + widen(((const VALUE*) mask)[at]);
}

// The divisor of mixed values. Where all keys are masked, shares and their sum are 0, and 0 / 0 is NaN.
__device__ __forceinline__ WIDE divisor(WIDE sum, const AttentionPlan& plan) {
  return sum == (WIDE) 0 && plan.nan_when_masked == 0 ? (WIDE) 1 : sum;
}

// Some queries of one head, and the keys and values that they look at.
struct AttentionTask {
  const VALUE* queries;
  const VALUE* keys;
  const VALUE* values;
  VALUE* results;
  int64 mask_at;
  int64 first;  // of the queries
  int64 end;    // of the keys that any of them looks at
};

// The task with this number, if each task takes so many queries. The pointers are those of the whole operands.
__device__ __forceinline__ AttentionTask attention_task(const AttentionPlan& plan, int64 index, int64 queries,
    const VALUE* query, const VALUE* key, const VALUE* value, VALUE* result) {
  int64 tiles = (plan.queries + queries - 1) / queries;
  int64 tile = index % tiles;
  // Later queries look at more keys. They come first, so that no long task is left for the end.
  int64 first = (plan.causal ? tiles - 1 - tile : tile) * queries;
  int64 head = index / tiles % plan.heads;
  int64 batch = index / tiles / plan.heads;
  int64 key_head = head / (plan.heads / plan.key_heads);
  AttentionTask task;
  task.queries = query + batch * plan.query.batch + head * plan.query.head;
  task.keys = key + batch * plan.key.batch + key_head * plan.key.head;
  task.values = value + batch * plan.value.batch + key_head * plan.value.head;
  task.results = result + batch * plan.result.batch + head * plan.result.head;
  task.mask_at = batch * plan.mask[0] + head * plan.mask[1];
  task.first = first;
  task.end = plan.causal && first + queries < plan.keys ? first + queries : plan.keys;
  return task;
}

__device__ __forceinline__ int64 attention_tasks(const AttentionPlan& plan, int64 queries) {
  return plan.batch * plan.heads * ((plan.queries + queries - 1) / queries);
}
