/**
 * Reads and rewrites the headers of ELF files, the format of Linux's libraries.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.load.elf.ElfPatch}, which makes a library need another file than it was
 * linked with. {@link dev.cairn.kernels.cuda.load.elf.ElfMachine} tells a library of another processor.
 */
@NullMarked
package dev.cairn.kernels.cuda.load.elf;

import org.jspecify.annotations.NullMarked;
