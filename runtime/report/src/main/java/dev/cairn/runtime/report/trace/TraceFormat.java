package dev.cairn.runtime.report.trace;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.InvalidTrace;
import dev.cairn.allocator.trace.MiniMallocCsv;
import dev.cairn.allocator.trace.RmmCsv;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The formats that traces come in. */
public enum TraceFormat {
  /** Whichever of the others the beginning of the file looks like. */
  AUTO {
    @Override
    public AllocationTrace read(InputStream in) throws IOException {
      BufferedInputStream buffered = new BufferedInputStream(in, HEAD_BYTES);
      buffered.mark(HEAD_BYTES);
      byte[] head = buffered.readNBytes(HEAD_BYTES);
      buffered.reset();
      return recognised(new String(head, StandardCharsets.UTF_8)).read(buffered);
    }
  },
  /** The log of RMM's logging adaptor, and of Cairn's recorder. */
  RMM {
    @Override
    public AllocationTrace read(InputStream in) throws IOException {
      return RmmCsv.read(in);
    }
  },
  /** The plot data of PyTorch's memory viewer, as JSON or within its HTML page. */
  PYTORCH {
    @Override
    public AllocationTrace read(InputStream in) throws IOException {
      return AllocData.read(in);
    }
  },
  /** A planner's problem. */
  MINIMALLOC {
    @Override
    public AllocationTrace read(InputStream in) throws IOException {
      return MiniMallocCsv.read(in);
    }
  };

  private static final int HEAD_BYTES = 1 << 13;
  private static final int SHOWN_CHARACTERS = 60;

  /**
   * Reads to the end of a stream; doesn't close it.
   *
   * @throws InvalidTrace saying where and why, when it isn't in the format
   */
  public abstract AllocationTrace read(InputStream in) throws IOException;

  /** Reads a file, as {@link #read(InputStream)} does. */
  public final AllocationTrace read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in);
    }
  }

  /** The format that begins so. */
  private static TraceFormat recognised(String head) {
    String text = head.replace("\uFEFF", "").strip().toLowerCase(Locale.ROOT);
    if (text.isEmpty()) {
      throw new InvalidTrace("the file is empty");
    }
    if (text.startsWith("{") || text.startsWith("<") || text.contains(AllocData.NAME)) {
      return PYTORCH;
    }
    String firstLine = text.lines().findFirst().orElse("");
    List<String> columns = List.of(firstLine.split("\\s*,\\s*", -1));
    if (columns.contains("action")) {
      return RMM;
    }
    if (columns.contains("lower") || columns.contains("upper")) {
      return MINIMALLOC;
    }
    String shown = firstLine.substring(0, Math.min(firstLine.length(), SHOWN_CHARACTERS));
    throw new InvalidTrace("unknown format: known=rmm,pytorch,minimalloc begins with=" + shown.replaceAll(
      "\\p{Cntrl}|\uFFFD", "?"));
  }

  /** The word that is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
