@NullMarked
package dev.cairn.runtime.pass.quantise;

import org.jspecify.annotations.NullMarked;
