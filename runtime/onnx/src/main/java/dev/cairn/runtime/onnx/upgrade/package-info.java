/**
 * Upgrades operators of opsets 1 to 21 to opset 22.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.upgrade.OpsetUpgrades}, the table of what changed when. An <em>old
 * node</em> is one use of an operator as the model's opset defines it. An <em>upgrade</em> converts it to current
 * nodes. The <em>scope</em> creates nodes and constants with unused names. This package does not depend on files. To
 * add an upgrade, write one file for its topic and a row in the table.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.onnx.upgrade;

import org.jspecify.annotations.NullMarked;
