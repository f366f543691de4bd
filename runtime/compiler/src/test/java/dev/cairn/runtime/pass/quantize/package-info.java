@NullMarked
package dev.cairn.runtime.pass.quantize;

import org.jspecify.annotations.NullMarked;
