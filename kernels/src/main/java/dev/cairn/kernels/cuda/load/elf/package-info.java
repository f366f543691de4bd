/**
 * Reads and rewrites the headers of ELF files, the format of Linux's libraries.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.load.elf.ElfPatch}, which replaces the name of a library that another one
 * needs. {@link dev.cairn.kernels.cuda.load.elf.ElfMachine} recognises libraries for other processors.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.load.elf;

import org.jspecify.annotations.NullMarked;
