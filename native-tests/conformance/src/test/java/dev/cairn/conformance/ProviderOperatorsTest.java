package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.conformance.ProviderTable.Provided;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of ONNX Runtime's operators says what is so: an operator without a reason is read, and one with a reason is
 * refused by name.
 */
class ProviderOperatorsTest {
  @TempDir
  private Path folder;

  @Test
  void operatorsAreReadOrRefusedAsTheTableSays() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Provided operator : ProviderTable.operators()) {
      if (isKnown(operator) != operator.runs()) {
        wrong.add(operator + (operator.runs() ? " is refused" : " is read"));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void pageHasTheTable() throws IOException {
    assertThat(Files.readString(SharedData.ofProject("docs/coverage.md"))).contains(String.join("\n", ProviderTable
      .section()));
  }

  /** Whether a model of one node of the operator has other faults than that there is no such operator. */
  private boolean isKnown(Provided operator) throws IOException {
    boolean isOwn = operator.domain().equals("ai.onnx");
    var node = NodeProto.newBuilder().setName("node").setOpType(operator.name()).setDomain(isOwn
      ? ""
      : operator.domain()).addOutput("y");
    var model = ModelProto.newBuilder().setIrVersion(10).addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("")
      .setVersion(22)).setGraph(GraphProto.newBuilder().setName("g").addNode(node));
    if (!isOwn) {
      model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(operator.domain()).setVersion(1));
    }
    Path file = folder.resolve("model.onnx");
    Files.write(file, model.build().toByteArray());
    try {
      ModelFiles.read(file);
      return true;
    } catch (UnsupportedOperators e) {
      return e.gaps().stream().noneMatch(it -> it.reason().equals("no such operator"));
    } catch (RuntimeException e) {
      return true;
    }
  }
}
