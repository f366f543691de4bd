// result = alpha * left * right + beta * added, for any number of products. Strides say where an element lies, so a
// transposed operand is one whose strides are swapped. Where terms are summed in parts, these go to memory of their own
// and are joined afterwards.
#include "tile.cuh"

struct Operands {
  int64 left_row;
  int64 left_term;
  int64 right_column;
  int64 right_term;
  int64 added_row;
  int64 added_column;
};

template <int SIDE>
__device__ __forceinline__ void products(const VALUE* left, const VALUE* right, const VALUE* added,
    Results results, Total* parts, const TilePlan& plan, const Operands& operands, Factors factors,
    const Walk& batch) {
  __shared__ Tiles<SIDE> tiles;
  int64 tasks = tile_tasks(plan, 16 * SIDE);
  for (int64 index = blockIdx.x; index < tasks; index += gridDim.x) {
    TileTask task = tile_task(plan, 16 * SIDE, index);
    Offsets at = offsets(batch, task.product);
    Matrix rows = {left + at.of[0], operands.left_row, operands.left_term, plan.rows, task.first_row};
    Matrix columns = {right + at.of[1], operands.right_column, operands.right_term, plan.columns, task.first_column};
    Total sums[SIDE][SIDE] = {};
    add_terms<SIDE>(sums, tiles, rows, columns, task.begin, task.end);
    int64 first = task.product * plan.rows * plan.columns;
    int64 elements = plan.batch * plan.rows * plan.columns;
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      int row = task.first_row + row_of<SIDE>(i);
      Read read_for[SIDE];
#pragma unroll
      for (int j = 0; j < SIDE; j++) {
        int column = task.first_column + column_of<SIDE>(j);
        if (row < plan.rows && column < plan.columns && parts == nullptr) {
          read_for[j] = read(results, first + (int64) row * plan.columns + column);
        }
      }
#pragma unroll
      for (int j = 0; j < SIDE; j++) {
        int column = task.first_column + column_of<SIDE>(j);
        if (row < plan.rows && column < plan.columns) {
          int64 to = first + (int64) row * plan.columns + column;
          if (parts != nullptr) {
            parts[task.part * elements + to] = sums[i][j];
          } else {
            store(results, to, read_for[j], finished(sums[i][j], added,
                row * operands.added_row + column * operands.added_column, factors));
          }
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(TILE_THREADS) products_by_small_tiles(const VALUE* __restrict__ left,
    const VALUE* __restrict__ right, const VALUE* __restrict__ added, RESULTS,
    Total* __restrict__ parts, TilePlan plan, Operands operands, Factors factors, Walk batch) {
  products<4>(left, right, added, GIVEN_RESULTS, parts, plan, operands, factors, batch);
}

// A thread could not hold so many sums of 8-byte elements.
extern "C" __global__ void __launch_bounds__(TILE_THREADS, 2) products_by_large_tiles(const VALUE* __restrict__ left,
    const VALUE* __restrict__ right, const VALUE* __restrict__ added, RESULTS,
    Total* __restrict__ parts, TilePlan plan, Operands operands, Factors factors, Walk batch) {
  products<sizeof(Total) == 4 ? 8 : 4>(left, right, added, GIVEN_RESULTS, parts, plan, operands, factors, batch);
}
