package dev.cairn.runtime.tensorfile;

import dev.cairn.allocator.Printable;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.report.WholeFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Reads and writes NumPy's archives of arrays: a zip file with an entry {@code NAME.npy} for each array. */
public final class NpzFile {
  private static final String SUFFIX = ".npy";
  /** Deflate's largest ratio of uncompressed to compressed bytes. */
  private static final long MOST_EXPANSION = 1032;
  private static final int MOST_NAME_CHARS = 100;
  /** The same in every file, so that equal arrays give equal bytes; in every time zone after the first date of ZIP. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private NpzFile() {}

  /**
   * Reads all arrays into native memory, as {@link NpyFile#read} does. Entries of other kinds are left out.
   *
   * @param file of the default file system
   * @return by name, in the order of the file
   * @throws IllegalArgumentException when the file is damaged, or has an array that Cairn cannot hold
   */
  public static Map<String, TensorView> read(Path file) throws IOException {
    return read(file, (_, _) -> {});
  }

  /**
   * Reads all arrays, unless one is refused by name and type before its elements are unpacked.
   *
   * @param requirement throws what refuses an array
   * @throws IllegalArgumentException when the file is damaged, or has an array that Cairn cannot hold
   */
  public static Map<String, TensorView> read(Path file, BiConsumer<String, TensorType> requirement)
    throws IOException {
    Map<String, TensorView> arrays = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      List<? extends ZipEntry> entries = zip.stream().filter(it -> it.getName().endsWith(SUFFIX)).toList();
      requirePlausible(entries, file);
      for (ZipEntry entry : entries) {
        String name = entry.getName().substring(0, entry.getName().length() - SUFFIX.length());
        if (arrays.put(name, array(zip, entry, source(file, entry), type -> requirement.accept(name, type))) != null) {
          throw new InvalidTensorFile(source(file, entry), "two arrays of one name");
        }
      }
    } catch (ZipException | EOFException e) {
      throw new InvalidTensorFile(file.toString(), "damaged archive of arrays: " + e.getMessage());
    }
    return Collections.unmodifiableMap(arrays);
  }

  private static String source(Path file, ZipEntry entry) {
    return "%s entry=%s".formatted(file, Printable.of(entry.getName(), MOST_NAME_CHARS));
  }

  /** The sizes that entries state are possible in a file of this size. Memory is allocated by these sizes. */
  private static void requirePlausible(List<? extends ZipEntry> entries, Path file) {
    long left = file.toFile().length();
    for (ZipEntry entry : entries) {
      long compressed = entry.getCompressedSize();
      if (compressed < 0 || compressed > left || entry.getSize() < 0 || entry.getSize() > compressed
        * (entry.getMethod() == ZipEntry.STORED ? 1 : MOST_EXPANSION)) {
        throw new InvalidTensorFile(source(file, entry), "impossible sizes of an array: compressedBytes=%d bytes=%d"
          .formatted(compressed, entry.getSize()));
      }
      left -= compressed;
    }
  }

  private static TensorView array(ZipFile zip, ZipEntry entry, String source, Consumer<TensorType> requirement)
    throws IOException {
    var checksum = new CRC32();
    try (var in = new CheckedInputStream(zip.getInputStream(entry), checksum)) {
      TensorView array = NpyFile.read(Channels.newChannel(in), entry.getSize(), source, requirement);
      if (in.read() >= 0) {
        throw new InvalidTensorFile(source, "more bytes than the array has");
      }
      if (checksum.getValue() != entry.getCrc()) {
        throw new InvalidTensorFile(source, "the checksum of an array differs");
      }
      return array;
    }
  }

  /**
   * Writes arrays uncompressed, as {@code numpy.savez} does; a file of that name is replaced when the new one is
   * complete. Types that NumPy lacks are written as by {@link NpyFile#write}.
   */
  public static void write(Map<String, TensorView> arrays, Path file) throws IOException {
    write(arrays, file, ZipEntry.STORED);
  }

  /** Writes arrays compressed, as {@code numpy.savez_compressed} does; see {@link #write}. */
  public static void writeCompressed(Map<String, TensorView> arrays, Path file) throws IOException {
    write(arrays, file, ZipEntry.DEFLATED);
  }

  private static void write(Map<String, TensorView> arrays, Path file, int method) throws IOException {
    WholeFile.write(file, out -> {
      try (var zip = new ZipOutputStream(out)) {
        for (Map.Entry<String, TensorView> array : arrays.entrySet()) {
          ZipEntry entry = new ZipEntry(array.getKey() + SUFFIX);
          entry.setTimeLocal(TIME);
          entry.setMethod(method);
          if (method == ZipEntry.STORED) {
            measure(array.getValue(), entry);
          }
          zip.putNextEntry(entry);
          NpyFile.write(array.getValue(), zip);
          zip.closeEntry();
        }
      }
    });
  }

  /** An uncompressed entry states its size and checksum before its bytes. */
  private static void measure(TensorView array, ZipEntry entry) throws IOException {
    var checksum = new CRC32();
    try (var out = new CheckedOutputStream(OutputStream.nullOutputStream(), checksum)) {
      entry.setSize(NpyFile.write(array, out));
    }
    entry.setCrc(checksum.getValue());
  }
}
