package dev.cairn.kernels.cuda.load.elf;

import java.io.IOException;

/** A file is not a shared object of the expected kind, or is inconsistent. */
public final class InvalidElf extends IOException {
  private static final long serialVersionUID = 1;

  InvalidElf(String message) {
    super(message);
  }
}
