package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which version of each domain a model or a function asks for. ONNX's own domain has the empty name, also where the
 * file spells it out.
 */
final class OpsetVersions {
  /** The last version of ONNX's own domain that is read; from 23 on, old operators only gained element types. */
  static final long MAX = 27;

  private static final long FIRST_IR_WITH_IMPORTS = 3;

  private final SortedMap<String, Long> versions = new TreeMap<>();

  /** The versions that a model asks for. Before IR version 3, files could not say one: theirs is 1. */
  static OpsetVersions of(ModelProto model) {
    return new OpsetVersions(model.getIrVersion() < FIRST_IR_WITH_IMPORTS && model.getOpsetImportCount() == 0
      ? List.of(OperatorSetIdProto.newBuilder().setVersion(1).build())
      : model.getOpsetImportList());
  }

  OpsetVersions(List<OperatorSetIdProto> imports) {
    for (OperatorSetIdProto one : imports) {
      versions.merge(domain(one.getDomain()), one.getVersion(), Math::max);
    }
  }

  static String domain(String written) {
    return written.equals("ai.onnx") ? "" : written;
  }

  boolean has(String domain) {
    return versions.containsKey(domain);
  }

  /** The version; 0 for a domain that is not imported. */
  long of(String domain) {
    return versions.getOrDefault(domain, 0L);
  }

  SortedMap<String, Long> asMap() {
    return Collections.unmodifiableSortedMap(versions);
  }
}
