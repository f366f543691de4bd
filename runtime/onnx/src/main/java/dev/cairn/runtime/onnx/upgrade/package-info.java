/**
 * Older operators in today's form: whatever opset from 9 on a model was written for, the graph has the operators of
 * opset 22.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.upgrade.OpsetUpgrades}, the table of what changed when. An <em>old
 * node</em> is one use of an operator as the model's opset defines it; an <em>upgrade</em> makes today's nodes of it;
 * the <em>scope</em> makes nodes and constants with names that are free. Nothing here knows of files. To add an
 * upgrade, write one file for its topic and a row in the table.
 */
@NullMarked
package dev.cairn.runtime.onnx.upgrade;

import org.jspecify.annotations.NullMarked;
