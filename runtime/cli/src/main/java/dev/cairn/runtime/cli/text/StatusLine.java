package dev.cairn.runtime.cli.text;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The last line of a terminal, which says what goes on. Whatever else is written to standard error erases it first, so
 * that it never stands before a message. A terminal cuts off what does not fit into its width.
 */
public final class StatusLine extends OutputStream {
  private static final byte MARK = '\r';
  private static final String ERASE = "\r\u001b[K";
  /** Without automatic wrapping between them. */
  private static final String BEGIN = "\r\u001b[?7l";
  private static final String END = "\u001b[K\u001b[?7h";

  private final OutputStream terminal;
  private boolean drawn;

  private StatusLine(OutputStream terminal) {
    this.terminal = terminal;
  }

  /** Makes standard error a stream with a status line. */
  public static void install() {
    System.setErr(of(System.err));
  }

  static PrintStream of(OutputStream terminal) {
    return new PrintStream(new StatusLine(terminal), true, StandardCharsets.UTF_8);
  }

  /** Shows this text, which has no line break, instead of the one before. */
  public static void show(String text) {
    System.err.print(BEGIN + text + END);
    System.err.flush();
  }

  /** Shows none. */
  public static void erase() {
    System.err.print(ERASE);
    System.err.flush();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    byte[] erase = ERASE.getBytes(StandardCharsets.US_ASCII);
    boolean draws = bytes[offset] == MARK && length > erase.length;
    boolean erases = bytes[offset] == MARK && !draws;
    if (drawn && !draws) {
      terminal.write(erase);
    }
    if (!erases) {
      terminal.write(bytes, offset, length);
    }
    terminal.flush();
    drawn = draws;
  }

  @Override
  public void flush() throws IOException {
    terminal.flush();
  }
}
