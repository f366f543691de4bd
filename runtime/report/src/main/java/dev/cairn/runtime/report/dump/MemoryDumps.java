package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.report.MemoryMapText;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.runtime.report.WholeFile;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes memory dumps to files, and reads formats that can be read. A file appears when it is complete: a failure
 * leaves what was there before. Stateless.
 */
public final class MemoryDumps {
  private static final int BUFFER_BYTES = 1 << 16;

  private MemoryDumps() {}

  /**
   * Writes in the format that the file's name says.
   *
   * @throws IllegalArgumentException when the name says none
   */
  public static void write(MemorySnapshot snapshot, Path file) throws IOException {
    write(snapshot, file, DumpFormat.of(file));
  }

  /** Writes in the given format. */
  public static void write(MemorySnapshot snapshot, Path file, DumpFormat format) throws IOException {
    WholeFile.write(file, out -> write(snapshot, out, format));
  }

  /**
   * Reads a dump in JSON.
   *
   * @throws InvalidDump when the file is no such dump
   */
  public static MemorySnapshot read(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
      return MemorySnapshotJson.read(in);
    } catch (InvalidDump e) {
      throw new InvalidDump("%s: file=%s".formatted(e.getMessage(), file), e);
    }
  }

  private static void write(MemorySnapshot snapshot, OutputStream out, DumpFormat format) throws IOException {
    switch (format) {
      case TEXT -> writeText(snapshot, out);
      case JSON -> MemorySnapshotJson.write(snapshot, out);
      case PICKLE -> PytorchSnapshot.write(snapshot, out);
      case HTML -> SnapshotPage.write(snapshot, out);
    }
  }

  private static void writeText(MemorySnapshot snapshot, OutputStream out) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    if (snapshot.failure().isPresent()) {
      text.append(OomReport.of(snapshot.failure().get()).text()).append("\n\n");
    }
    MemoryMapText.write(snapshot.map(), text);
    text.flush();
  }
}
