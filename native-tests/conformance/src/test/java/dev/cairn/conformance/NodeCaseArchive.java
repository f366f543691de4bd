package dev.cairn.conformance;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The operator cases of the ONNX standard in their archive: {@code node/<case>/model.onnx} and
 * {@code node/<case>/test_data_set_0/*.pb}, as {@code .tar.gz} in the form that GNU tar writes.
 */
final class NodeCaseArchive {
  private static final int BLOCK_BYTES = 512;
  private static final int NAME_BYTES = 100;
  private static final int SIZE_AT = 124;
  private static final int SIZE_BYTES = 12;
  private static final int TYPE_AT = 156;
  private static final byte PLAIN_FILE = '0';
  /** GNU's form for a path of more than 100 bytes: an entry of its own before the file's, whose content is the path. */
  private static final byte LONG_PATH = 'L';

  private NodeCaseArchive() {}

  /** All cases, by name; some tens of megabytes. */
  static List<NodeCase> read(Path archive) throws IOException {
    SortedMap<String, SortedMap<String, byte[]>> files = new TreeMap<>();
    try (var tar = new DataInputStream(
      new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive)), 1 << 16))) {
      byte[] header = new byte[BLOCK_BYTES];
      String longPath = "";
      while (tar.readNBytes(header, 0, BLOCK_BYTES) == BLOCK_BYTES && header[0] != 0) {
        byte[] content = new byte[Integer.parseInt(text(header, SIZE_AT, SIZE_BYTES).strip(), 8)];
        tar.readFully(content);
        tar.skipNBytes(Math.ceilDiv(content.length, BLOCK_BYTES) * (long) BLOCK_BYTES - content.length);
        if (header[TYPE_AT] == LONG_PATH) {
          longPath = text(content, 0, content.length);
        } else if (header[TYPE_AT] == PLAIN_FILE) {
          put(files, longPath.isEmpty() ? text(header, 0, NAME_BYTES) : longPath, content);
          longPath = "";
        }
      }
    }
    List<NodeCase> cases = new ArrayList<>();
    files.forEach((name, parts) -> cases.add(new NodeCase(name, parts)));
    return List.copyOf(cases);
  }

  private static void put(SortedMap<String, SortedMap<String, byte[]>> files, String path, byte[] content) {
    int caseAt = path.indexOf('/') + 1;
    int fileAt = path.indexOf('/', caseAt) + 1;
    files.computeIfAbsent(path.substring(caseAt, fileAt - 1), _ -> new TreeMap<>())
      .put(path.substring(fileAt), content);
  }

  private static String text(byte[] header, int from, int most) {
    int end = from;
    while (end < from + most && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }
}
