package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.report.MemoryDump;
import dev.cairn.allocator.report.OomReport;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes memory dumps to files, and reads those that can be read. A file appears when it is complete: a failure leaves
 * what was there before. Stateless.
 */
public final class MemoryDumps {
  private static final int BUFFER_BYTES = 1 << 16;

  private MemoryDumps() {}

  /**
   * Writes in the format that the file's name tells.
   *
   * @throws IllegalArgumentException when it tells none
   */
  public static void write(MemorySnapshot snapshot, Path file) throws IOException {
    write(snapshot, file, DumpFormat.of(file));
  }

  /** Writes in the given format. */
  public static void write(MemorySnapshot snapshot, Path file, DumpFormat format) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A pipe or a device: it is written to, never replaced.
      write(snapshot, target, format, StandardOpenOption.WRITE);
      return;
    }
    Path folder = target.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    String suffix = "." + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
    Path part = target.resolveSibling(target.getFileName() + suffix + ".part");
    try {
      write(snapshot, part, format, StandardOpenOption.CREATE_NEW);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
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

  private static void write(MemorySnapshot snapshot, Path file, DumpFormat format, StandardOpenOption option)
    throws IOException {
    OutputStream raw = option == StandardOpenOption.CREATE_NEW
      ? Files.newOutputStream(file, option, StandardOpenOption.WRITE)
      : Files.newOutputStream(file, option);
    try (OutputStream out = new BufferedOutputStream(raw, BUFFER_BYTES)) {
      switch (format) {
        case TEXT -> writeText(snapshot, out);
        case JSON -> MemorySnapshotJson.write(snapshot, out);
        case PICKLE -> PytorchSnapshot.write(snapshot, out);
      }
    }
  }

  private static void writeText(MemorySnapshot snapshot, OutputStream out) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    if (snapshot.failure().isPresent()) {
      text.append(OomReport.of(snapshot.failure().get()).text()).append("\n\n");
    }
    MemoryDump.write(snapshot.map(), text);
    text.flush();
  }
}
