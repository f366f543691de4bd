package dev.cairn.runtime.report.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

class PlanPictureTest {
  private static final PictureSize SIZE = new PictureSize(574, 300, 1000, 0);

  @Test
  void timeGoesAcrossAndAddressGoesUp() throws Exception {
    // 574 pixels less the margins are 400: 100 a step; 300 for 1,500 bytes.
    List<Element> drawn = Views.rectangles(Views.parsed(PlanPicture.svg(Views.small(), SIZE)));
    assertThat(drawn).extracting(it -> List.of(it.getAttribute("x"), it.getAttribute("y"), it.getAttribute("width"), it
      .getAttribute("height"))).containsExactly(List.of("0", "100", "200", "200"), List.of("100", "0", "300", "100"),
        List.of("200", "100", "200", "200"));
    assertThat(drawn).extracting(it -> it.getAttribute("class")).containsExactly("c0 e", "c1 e", "w e");
  }

  @Test
  void whatIsUnderThePointerIsTold() throws Exception {
    List<Element> drawn = Views.rectangles(Views.parsed(PlanPicture.svg(Views.small(), SIZE)));
    assertThat(drawn.get(0).getTextContent()).isEqualTo(
      "conv1 (Conv)\nconv1 float32[250]\n1,000 B\nstep [0, 2), 2 steps\naddress 0");
    assertThat(drawn.get(2).getTextContent()).contains("scratch memory", ", output", "address 0");
  }

  @Test
  void planBoundAndLegendAreTold() {
    String svg = PlanPicture.svg(Views.small(), SIZE);
    assertThat(svg)
      .contains(">small<", "4 buffers, planned by by-hand: peak 1.5 KiB, lower bound 1.5 KiB, 1.0000 times",
        "bound = peak", ">Conv<", ">Relu<", ">scratch memory of kernels<", "1 buffer of no bytes not drawn.",
        "prefers-color-scheme:dark")
      .doesNotContain("too small to see");
  }

  @Test
  void theBoundsLineIsWhereTheBoundIs() throws Exception {
    MemoryProblem problem = MemoryProblem.of(Views.buffer("a", 300, 0, 1), Views.buffer("b", 100, 1, 2));
    PlanView view = PlanView.of("x", problem, NaivePlanner.ARENA.plan(problem));
    String svg = PlanPicture.svg(view, SIZE);
    assertThat(svg).contains("<line class=\"bound\" x1=\"-4\" y1=\"75\"", ">lower bound<", ">300 B<", ">peak<",
      ">400 B<");
  }

  @Test
  void poolsLieOneAboveTheOther() throws Exception {
    MemoryProblem problem = MemoryProblem.of(Views.buffer("a", 100, 0, 2), Views.buffer("b", 50, 0, 2).withAlignment(
      64));
    String svg = PlanPicture.svg(PlanView.of("x", problem, NaivePlanner.POOLS.plan(problem)), SIZE);
    assertThat(svg).contains("in 2 pools, one above the other", "class=\"pool\"", "address 128, pool 1");
    Element second = Views.rectangles(Views.parsed(svg)).get(1);
    assertThat(Views.number(second, "y") + Views.number(second, "height")).isCloseTo(300 - 300 * 128 / 192.0, within(
      0.01));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 10, 300, 3000})
  void everyBufferIsThereAndNothingOverlaps(int buffers) throws Exception {
    for (int seed = 0; seed < (buffers > 1000 ? 2 : 10); seed++) {
      PlanView view = Views.random(seed, buffers);
      List<Element> drawn = Views
        .rectangles(Views.parsed(PlanPicture.svg(view, new PictureSize(800, 300, 100_000, 0))));
      long withBytes = view.problem().buffers().stream().filter(it -> it.bytes() > 0).count();
      assertThat(drawn).hasSize((int) withBytes);
      for (Element it : drawn) {
        assertThat(Views.number(it, "x")).isBetween(0.0, 626.0);
        assertThat(Views.number(it, "y")).isBetween(-0.001, 300.0);
        assertThat(Views.number(it, "y") + Views.number(it, "height")).isLessThan(300.002);
      }
    }
  }

  @Test
  void twentyThousandBuffersAreOneMegabyteAndItSaysWhatIsLeftOut() throws Exception {
    PlanView view = Views.random(3, 20_000);
    String svg = PlanPicture.svg(view, PictureSize.ALONE);
    assertThat(svg.length()).isLessThan(2_000_000);
    assertThat(svg).containsPattern("[\\d,]+ of 20,000 buffers too small to see here, drawn together as [\\d,]+ grey");
    List<Element> drawn = Views.rectangles(Views.parsed(svg));
    assertThat(drawn.stream().filter(it -> !it.getAttribute("class").equals("s")).count()).isLessThanOrEqualTo(5000);
    assertThat(PlanPage.html(view, PageFacts.NONE).length()).isLessThan(6_000_000);
  }

  @Test
  void theSamePlanGivesTheSamePicture() {
    assertThat(PlanPicture.svg(Views.random(5, 200), SIZE)).isEqualTo(PlanPicture.svg(Views.random(5, 200), SIZE));
  }

  @Test
  void namesCannotBreakThePicture() throws Exception {
    String name = "</title><script>alert(\"1\")</script>&\u0000\u001b\ud800";
    MemoryProblem problem = MemoryProblem.of(Views.buffer(name, 10, 0, 1));
    PlanView view = PlanView.of(name, problem, NaivePlanner.ARENA.plan(problem));
    assertThat(Views.rectangles(Views.parsed(PlanPicture.svg(view, SIZE))).getFirst().getTextContent()).startsWith(
      "</title><script>alert(\"1\")</script>&\ufffd\ufffd\ufffd\n10 B");
    assertThat(PlanPage.html(view, new PageFacts("<b>&", List.of(), ""))).doesNotContain("<script>alert", "<b>")
      .contains("&lt;b&gt;&amp;");
  }

  @Test
  void hugeAddressesAndTimesAreStillInThePicture() throws Exception {
    MemoryProblem problem = MemoryProblem.of(Views.buffer("a", 1L << 61, 0, Integer.MAX_VALUE), Views.buffer("b",
      1L << 61, Integer.MAX_VALUE - 1, Integer.MAX_VALUE));
    String svg = PlanPicture.svg(PlanView.of("x", problem, NaivePlanner.ARENA.plan(problem)), SIZE);
    assertThat(Views.rectangles(Views.parsed(svg))).hasSize(2);
    assertThat(svg).contains("2 EiB", "2,000,000,000").doesNotContain("NaN", "Infinity");
  }

  @Test
  void aViewIsOfOneProblem() {
    PlanView small = Views.small();
    assertThatIllegalArgumentException().isThrownBy(() -> new PlanView("x", "step", small.problem(), small.plan(), List
      .of())).withMessageContaining("labels=0");
    assertThatIllegalArgumentException().isThrownBy(() -> new PlanView("x", "step", small.problem(), new MemoryPlan("p",
      List.of(), List.of()), small.labels())).withMessageContaining("placements=0");
    assertThatIllegalArgumentException().isThrownBy(() -> new PictureSize(10, 300, 1, 0));
    assertThat(small.bound()).isEqualTo(LowerBound.of(small.problem()));
  }
}
