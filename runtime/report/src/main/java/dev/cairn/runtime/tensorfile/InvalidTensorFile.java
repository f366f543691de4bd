package dev.cairn.runtime.tensorfile;

import java.nio.file.Path;

/** A file of tensors that cannot be read: it is cut short, or its header contradicts its content. */
public final class InvalidTensorFile extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final String REMEDY = "export it again with the program that wrote it";

  /** @param offset of the fault in the file, in bytes */
  InvalidTensorFile(Path file, long offset, String fault) {
    super("%s: file=%s offset=%d; %s".formatted(fault, file, offset, REMEDY));
  }

  /** @param source the file, with its entry where it has entries */
  InvalidTensorFile(String source, String fault) {
    super("%s: file=%s; %s".formatted(fault, source, REMEDY));
  }
}
