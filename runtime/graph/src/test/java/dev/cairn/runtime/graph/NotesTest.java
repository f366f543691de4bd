package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NotesTest {
  @Test
  void bothFormsOfANameAreOneNote() {
    Notes notes = Notes.of(Map.of("__lr_mult__", "2", "__shape__", "(1,)"));
    assertThat(notes.get("lr_mult")).contains("2");
    assertThat(notes.get("__lr_mult__")).contains("2");
    assertThat(notes).hasToString("__shape__=(1,), lr_mult=2");
    assertThat(notes.with("lr_mult", "3")).hasToString("__shape__=(1,), lr_mult=3");
    assertThat(notes.only(List.of("lr_mult"))).isEqualTo(Notes.NONE.with("lr_mult", "2"));
    assertThat(notes.only(List.of("wd_mult"))).isSameAs(Notes.NONE);
  }

  @Test
  void aNoteIsOneLineWithAName() {
    assertThatThrownBy(() -> Notes.of(Map.of(" ", "v"))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Notes.of(Map.of("k", "a\nb"))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("one line");
  }

  @Test
  void textHasNotesBehindANumberSignAndKindsDoNotSeeThem() {
    var fixture = new GraphFixture();
    NodeEntry x = fixture.input("x", "float32[2]");
    Node y = fixture.apply("y", "Relu", x).node();
    Node noted = y.withNotes(Notes.NONE.with("ctx_group", "dev1").with("a", "b"));
    assertThat(noted).hasToString("y = Relu(x) # a=b, ctx_group=dev1");
    assertThat(noted.kind()).isEqualTo(y.kind());
    assertThat(noted.named("z").notes()).isEqualTo(noted.notes());
  }

  @Test
  void copiesOfABodyKeepNotes() {
    Node parameter = Node.parameter("p", Optional.empty());
    Node inside = new GraphFixture().apply("inside", "Relu", parameter.entry()).node().withNotes(Notes.NONE.with("k",
      "v"));
    var body = new Graph("body", List.of(parameter), List.of(new Graph.Output("r", inside.entry())));
    NodeEntry x = new GraphFixture().input("x", "float32[2]");
    assertThat(GraphCopy.of(body, List.of(x), name -> "copy/" + name).getFirst().node())
      .hasToString("copy/inside = Relu(x) # k=v");
  }
}
