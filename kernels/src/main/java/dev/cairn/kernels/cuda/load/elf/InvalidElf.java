package dev.cairn.kernels.cuda.load.elf;

import java.io.IOException;

/** A file is no shared object of the kind expected, or contradicts itself. */
public final class InvalidElf extends IOException {
  private static final long serialVersionUID = 1;

  InvalidElf(String message) {
    super(message);
  }
}
