@NullMarked
package dev.cairn.runtime.pass.quantise;
