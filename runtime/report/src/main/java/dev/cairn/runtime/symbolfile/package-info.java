/**
 * Symbols as files. {@link dev.cairn.runtime.symbolfile.SymbolJson} reads and writes Cairn's own form. {@link
 * dev.cairn.runtime.symbolfile.MxnetModel} reads a network that MXNet 1.x saved, its {@code -symbol.json} and {@code
 * .params}. Sessions and the command line open such models by {@link dev.cairn.runtime.symbolfile.MxnetFormat}. The
 * rows of {@code MxnetLayers}, {@code MxnetMath} and {@code MxnetShapes} say what MXNet's operators become.
 */
@NullMarked
package dev.cairn.runtime.symbolfile;

import org.jspecify.annotations.NullMarked;
