package dev.cairn.runtime.onnx;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The operator cases of the ONNX standard, from their archive ({@code .tar.gz} of {@code node/<case>/model.onnx} and
 * {@code node/<case>/test_data_set_0/*.pb}).
 */
final class NodeCases {
  private static final int BLOCK_BYTES = 512;

  private NodeCases() {}

  /**
   * All files of an archive, by case and then by name inside the case's folder ({@code model.onnx},
   * {@code test_data_set_0/input_0.pb}); a few tens of megabytes for the standard's own.
   */
  static SortedMap<String, SortedMap<String, byte[]>> read(Path archive) throws IOException {
    SortedMap<String, SortedMap<String, byte[]>> cases = new TreeMap<>();
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
      var tar = new DataInputStream(new BufferedInputStream(new GZIPInputStream(file), 1 << 16))) {
      byte[] header = new byte[BLOCK_BYTES];
      String longName = "";
      while (tar.readNBytes(header, 0, BLOCK_BYTES) == BLOCK_BYTES && header[0] != 0) {
        byte[] content = new byte[(int) octal(header, 124, 12)];
        tar.readFully(content);
        tar.skipNBytes(Math.ceilDiv(content.length, BLOCK_BYTES) * BLOCK_BYTES - content.length);
        // The type of an entry: '0' is a plain file, 'L' (GNU's form) the long name of the entry after it.
        if (header[156] == '0') {
          put(cases, longName.isEmpty() ? text(header, 0, 100) : longName, content);
        }
        longName = header[156] == 'L' ? text(content, 0, content.length) : "";
      }
    }
    return cases;
  }

  private static void put(Map<String, SortedMap<String, byte[]>> cases, String path, byte[] content) {
    int first = path.indexOf('/');
    int second = path.indexOf('/', first + 1);
    String name = path.substring(first + 1, second);
    cases.computeIfAbsent(name, _ -> new TreeMap<>()).put(path.substring(second + 1), content);
  }

  private static String text(byte[] header, int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int from, int length) {
    return Long.parseLong(text(header, from, length).strip(), 8);
  }
}
