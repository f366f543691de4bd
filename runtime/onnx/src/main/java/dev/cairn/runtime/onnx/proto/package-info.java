/**
 * The messages of an ONNX file, generated from {@code src/main/protobuf/onnx.proto}. Only the packages {@code decode}
 * and {@code encode} may use them.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.onnx.proto;

import org.jspecify.annotations.NullMarked;
