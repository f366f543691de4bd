/**
 * Cairn as an engine of the Deep Java Library: {@code Criteria.optEngine("Cairn")} loads an ONNX file into a session.
 * {@link dev.cairn.djl.CairnEngineProvider} is found as a service. The page is {@code docs/howto/djl.md}.
 */
@NullMarked
package dev.cairn.djl;

import org.jspecify.annotations.NullMarked;
