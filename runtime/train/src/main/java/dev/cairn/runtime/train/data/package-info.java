/**
 * Data sets in memory. Start at {@link dev.cairn.runtime.train.data.ArrayDataset}: features and labels by row, read
 * from IDX or CSV files, and cut into {@link dev.cairn.runtime.train.data.Batches}.
 */
@NullMarked
package dev.cairn.runtime.train.data;

import org.jspecify.annotations.NullMarked;
