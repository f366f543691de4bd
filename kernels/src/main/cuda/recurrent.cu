// Recurrent networks with their usual functions. A block takes one sequence of one direction through all of its steps;
// a warp computes one element of a gate. The sequence's states and gates lie in the workspace.
#include "join.cuh"

enum { RNN = 1, GRU = 3, LSTM = 4 };

struct Network {
  int64 gates;
  int64 directions;
  int64 steps;
  int64 batch;
  int64 input;
  int64 hidden;
  int64 batch_first;
  int64 first_reversed;
  int64 linear_before_reset;
};

__device__ __forceinline__ WIDE sigmoid_of(WIDE x) { return (WIDE) 1 / ((WIDE) 1 + exp(-x)); }

// The product of a row of weights and a vector, in the first lane of each warp.
template <typename T>
__device__ __forceinline__ WIDE product_in_warp(const VALUE* row, const T* vector, int64 count) {
  WIDE sum = (WIDE) 0;
  for (int64 k = threadIdx.x & 31; k < count; k += 32) {
    sum += widen(row[k]) * (WIDE) widen(vector[k]);
  }
  return joined_in_warp<Sum>(sum);
}

extern "C" __global__ void __launch_bounds__(256) recurrent(const VALUE* __restrict__ from,
    const VALUE* __restrict__ weights, const VALUE* __restrict__ recurrent_weights, const VALUE* __restrict__ biases,
    const int32* __restrict__ lengths, const VALUE* __restrict__ first_hidden, const VALUE* __restrict__ first_cell,
    VALUE* __restrict__ to, VALUE* __restrict__ last_hidden, VALUE* __restrict__ last_cell, WIDE* __restrict__ states,
    Network of) {
  int64 rows = of.gates * of.hidden;
  int lane = threadIdx.x & 31;
  int64 first_row = threadIdx.x >> 5;
  int64 warps = blockDim.x >> 5;
  for (int64 item = blockIdx.x; item < of.directions * of.batch; item += gridDim.x) {
    int64 direction = item / of.batch;
    int64 sequence = item % of.batch;
    WIDE* hidden = states + item * (rows + 4 * of.hidden);
    WIDE* cell = hidden + of.hidden;
    // The sum that the state adds to a GRU's candidate, and the state after it is reset.
    WIDE* of_state = cell + of.hidden;
    WIDE* left = of_state + of.hidden;
    WIDE* gates = left + of.hidden;
    const VALUE* w = weights + direction * rows * of.input;
    const VALUE* r = recurrent_weights + direction * rows * of.hidden;
    const VALUE* b = biases == nullptr ? nullptr : biases + direction * 2 * rows;
    int64 state_at = (of.batch_first ? sequence * of.directions + direction : item) * of.hidden;
    for (int64 i = threadIdx.x; i < of.hidden; i += blockDim.x) {
      hidden[i] = first_hidden == nullptr ? (WIDE) 0 : widen(first_hidden[state_at + i]);
      cell[i] = first_cell == nullptr ? (WIDE) 0 : widen(first_cell[state_at + i]);
    }
    __syncthreads();
    int64 length = lengths == nullptr ? of.steps : lengths[sequence];
    length = length < 0 ? 0 : (length > of.steps ? of.steps : length);
    bool reversed = direction == 1 || of.first_reversed;
    for (int64 turn = 0; turn < of.steps; turn++) {
      int64 step = turn < length && reversed ? length - 1 - turn : turn;
      VALUE* result = to + (of.batch_first ? (sequence * of.steps + step) * of.directions + direction
          : (step * of.directions + direction) * of.batch + sequence) * of.hidden;
      if (turn >= length) {
        for (int64 i = threadIdx.x; i < of.hidden; i += blockDim.x) {
          result[i] = narrow<VALUE>((WIDE) 0);
        }
        continue;
      }
      const VALUE* x = from + (of.batch_first ? sequence * of.steps + step : step * of.batch + sequence) * of.input;
      for (int64 row = first_row; row < rows; row += warps) {
        WIDE of_input = product_in_warp(w + row * of.input, x, of.input);
        bool apart = of.gates == GRU && row >= 2 * of.hidden;
        WIDE of_hidden = apart && !of.linear_before_reset ? (WIDE) 0
            : product_in_warp(r + row * of.hidden, hidden, of.hidden);
        if (lane == 0) {
          of_input += b == nullptr ? (WIDE) 0 : widen(b[row]);
          of_hidden += b == nullptr ? (WIDE) 0 : widen(b[rows + row]);
          gates[row] = apart ? of_input : of_input + of_hidden;
          if (apart) {
            of_state[row - 2 * of.hidden] = of_hidden;
          }
        }
      }
      __syncthreads();
      if (of.gates == GRU && !of.linear_before_reset) {
        for (int64 i = threadIdx.x; i < of.hidden; i += blockDim.x) {
          left[i] = sigmoid_of(gates[of.hidden + i]) * hidden[i];
        }
        __syncthreads();
        for (int64 row = first_row; row < of.hidden; row += warps) {
          WIDE product = product_in_warp(r + (2 * of.hidden + row) * of.hidden, left, of.hidden);
          if (lane == 0) {
            of_state[row] += product;
          }
        }
        __syncthreads();
      }
      for (int64 i = threadIdx.x; i < of.hidden; i += blockDim.x) {
        if (of.gates == LSTM) {
          cell[i] = sigmoid_of(gates[2 * of.hidden + i]) * cell[i] + sigmoid_of(gates[i])
              * tanh(gates[3 * of.hidden + i]);
          hidden[i] = sigmoid_of(gates[of.hidden + i]) * tanh(cell[i]);
        } else if (of.gates == GRU) {
          WIDE update = sigmoid_of(gates[i]);
          WIDE reset = of.linear_before_reset ? sigmoid_of(gates[of.hidden + i]) : (WIDE) 1;
          WIDE candidate = tanh(gates[2 * of.hidden + i] + reset * of_state[i]);
          hidden[i] = ((WIDE) 1 - update) * candidate + update * hidden[i];
        } else {
          hidden[i] = tanh(gates[i]);
        }
        result[i] = narrow<VALUE>(hidden[i]);
      }
      __syncthreads();
    }
    for (int64 i = threadIdx.x; i < of.hidden; i += blockDim.x) {
      if (last_hidden != nullptr) {
        last_hidden[state_at + i] = narrow<VALUE>(hidden[i]);
      }
      if (last_cell != nullptr) {
        last_cell[state_at + i] = narrow<VALUE>(cell[i]);
      }
    }
    __syncthreads();
  }
}
