package dev.cairn.runtime.cli.text;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Standard output, which knows whether its reader has ended, as {@code head} does when it has its lines. */
public final class PipeAwareOutput extends OutputStream {
  /** The system's message, on Linux and macOS, for a pipe that is closed at the other end. */
  private static final String BROKEN_PIPE = "Broken pipe";

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private boolean readerEnded;

  /** Whether something was written after the reader had ended. */
  public boolean readerEnded() {
    return readerEnded;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      readerEnded |= BROKEN_PIPE.equals(e.getMessage());
      throw e;
    }
  }
}
