/**
 * All that a training needs to continue: parameters, states, counters and settings, in one safetensors file.
 *
 * <p>Start at {@link dev.cairn.runtime.train.checkpoint.Checkpoint}. {@link
 * dev.cairn.runtime.train.checkpoint.Checkpoints} keeps the latest ones in a folder.
 */
@NullMarked
package dev.cairn.runtime.train.checkpoint;

import org.jspecify.annotations.NullMarked;
