/** Tests of fusion: graphs as text, before and after; random graphs against themselves, unfolded again. */
@NullMarked
package dev.cairn.runtime.pass.fusion;

import org.jspecify.annotations.NullMarked;
