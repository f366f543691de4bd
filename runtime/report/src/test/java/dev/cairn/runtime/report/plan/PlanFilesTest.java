package dev.cairn.runtime.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** CSV, JSON and the page. */
class PlanFilesTest {
  @Test
  void theCsvHasOneOffsetARow() {
    assertThat(PlanCsv.text(Views.small())).isEqualTo(
      "id,lower,upper,size,offset\na,0,2,1000,0\nb,1,4,500,1000\nc,2,4,1000,0\nd,1,2,0,0\n");
  }

  @Test
  void gapsAndDevicesAreToldEverywhere() throws Exception {
    MemoryProblem problem = MemoryProblem.of(Views.buffer("a", 100, 0, 10).withGaps(List.of(new Lifetime(2, 4),
      new Lifetime(6, 7))), Views.buffer("b", 100, 2, 4), Views.buffer("c", 50, 0, 1).onDevice(1));
    PlanView view = PlanView.of("x", problem, MemoryPlan.inArenas("by-hand", problem, new long[] {0, 0, 0}));
    PlanValidator.requireValid(problem, view.plan());
    assertThat(PlanCsv.text(view)).contains("gaps", "2-4 6-7", "device");
    String svg = PlanPicture.svg(view, PictureSize.ALONE);
    assertThat(Views.rectangles(Views.parsed(svg))).as("three parts of a").hasSize(5);
    assertThat(svg).contains("but for [2, 4) [6, 7)", "device 1", "in 2 pools").doesNotContain("not drawn");
    var out = new ByteArrayOutputStream();
    PlanJson.write(view, out);
    JsonNode json = new JsonMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(json.get("buffers").get(0).get("gaps").toString()).isEqualTo("[[2,4],[6,7]]");
    assertThat(json.get("pools").get(1).get("device").asInt()).isEqualTo(1);
  }

  @Test
  void whatTheCsvSaysIsAValidPlanInOneArena() {
    for (int seed = 0; seed < 60; seed++) {
      PlanView view = Views.random(seed, seed * 3);
      List<String> lines = PlanCsv.text(view).lines().toList();
      List<String> columns = List.of(lines.getFirst().split(",", -1));
      List<Buffer> buffers = new ArrayList<>();
      long[] offsets = new long[lines.size() - 1];
      for (int i = 1; i < lines.size(); i++) {
        String[] cells = lines.get(i).split(",", -1);
        Buffer buffer = Buffer.of(cells[0], Long.parseLong(cells[3]), new Lifetime(Integer.parseInt(cells[1]), Integer
          .parseInt(cells[2])));
        buffers.add(columns.contains("alignment") ? buffer.withAlignment(Long.parseLong(cells[4])) : buffer);
        offsets[i - 1] = Long.parseLong(cells[columns.indexOf("offset")]);
      }
      var problem = new MemoryProblem(buffers);
      assertThat(problem).as("sizes are those that the plan reserves").isEqualTo(new MemoryProblem(view.problem()
        .buffers().stream().map(it -> Buffer.of(it.name(), it.reservedBytes(), it.lifetime()).withAlignment(it
          .alignment()))
        .toList()));
      MemoryPlan plan = PlanValidator.requireValid(problem, MemoryPlan.inOneArena("csv", problem, offsets));
      assertThat(plan.peakBytes()).isLessThanOrEqualTo(PoolStack.of(view.plan()).bytes());
    }
  }

  @Test
  void namesThatTheCsvCannotCarryAreChangedAndStayUnique() {
    MemoryProblem problem = MemoryProblem.of(Views.buffer("a,b", 1, 0, 1), Views.buffer("a_b", 1, 0, 1), Views.buffer(
      "a\nb", 1, 0, 1));
    String csv = PlanCsv.text(PlanView.of("x", problem, NaivePlanner.ARENA.plan(problem)));
    assertThat(csv.lines().map(it -> it.split(",", -1)[0])).containsExactly("id", "a_b", "a_b#2", "a_b#3");
  }

  @Test
  void theJsonHasAllThatIsKnown() throws Exception {
    var out = new ByteArrayOutputStream();
    PlanJson.write(Views.small(), out);
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text.lines()).as("a line a buffer").hasSize(5);
    JsonNode json = new JsonMapper().readTree(text);
    assertThat(json.propertyNames()).containsExactly("schemaVersion", "kind", "source", "planner", "peakBytes",
      "lowerBoundBytes", "lowerBoundStep", "unsharedBytes", "steps", "pools", "buffers");
    assertThat(json.get("peakBytes").asLong()).isEqualTo(1500);
    assertThat(json.get("lowerBoundStep").asInt()).isEqualTo(1);
    assertThat(json.get("pools").get(0).get("bytes").asLong()).isEqualTo(1500);
    JsonNode second = json.get("buffers").get(1);
    assertThat(second.toString()).isEqualTo("{\"name\":\"b\",\"owner\":\"relu1\",\"operator\":\"Relu\",\"tensors\":"
      + "\"relu1 float32[125]\",\"bytes\":500,\"reservedBytes\":500,\"alignment\":1,\"first\":1,\"end\":4,\"gaps\":[],"
      + "\"pool\":0,\"offset\":1000,\"output\":false,\"scratch\":false}");
  }

  @Test
  void thePageTellsFiguresPlannersAndWhatIsLive() {
    String html = PlanPage.html(Views.small(),
      new PageFacts("It fits.", List.of(new PageFacts.Row("best-fit", "1.5 KiB",
        "1.0000", "0.10 ms")), "<svg>a curve</svg>"));
    assertThat(html).startsWith("<!doctype html>").contains("<title>Memory plan of small</title>", "It fits.",
      "<dt>peak</dt><dd>1,500 B (1.5 KiB)</dd>", "<td>best-fit</td><td>1.5 KiB</td>",
      "Live at step 1, when most is: 3 buffers, 1.5 KiB", "<td>conv1</td><td>Conv</td><td>conv1 float32[250]</td>",
      "<h2>What less memory costs</h2>\n<figure>\n<svg>a curve</svg></figure>");
  }

  @Test
  void thePageLoadsNothing() {
    String html = PlanPage.html(Views.random(2, 50), PageFacts.NONE);
    assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:", "src=", "href=",
      "@import", "url(", "fetch(", "import(");
    assertThat(html).doesNotContain("<h2>Planners");
  }

  @Test
  void manyLiveBuffersAreCutToTheLargest() {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      buffers.add(Views.buffer("b" + i, 1 + i, 0, 2));
    }
    var problem = new MemoryProblem(buffers);
    String html = PlanPage.html(PlanView.of("x", problem, NaivePlanner.ARENA.plan(problem)), PageFacts.NONE);
    String table = html.substring(html.indexOf("<h2>Live"));
    assertThat(table).contains("300 buffers", "The largest 100 of them", "<td>b299</td>")
      .doesNotContain("<td>b199</td>");
    assertThat(Arrays.stream(table.split("<tr>", -1)).count()).isEqualTo(102);
  }

  @Test
  void liveBytesFollowTheBuffers() {
    PlanView view = Views.small();
    var frame = new PictureFrame(4, 100, 0, 4, 1500);
    assertThat(LiveProfile.of(view.problem(), frame).path(30, 1500)).isEqualTo("M0 30H0V10H1V0H4V30Z");
  }

  @Test
  void coloursAreByKindAndTheRestIsTold() {
    List<Buffer> buffers = new ArrayList<>();
    List<BufferLabel> labels = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      buffers.add(Views.buffer("b" + i, 100 + i, 0, 1));
      labels.add(new BufferLabel("n" + i, "Op" + i, "", false));
    }
    var problem = new MemoryProblem(buffers);
    var colours = new KindColours(new PlanView("x", "step", problem, NaivePlanner.ARENA.plan(problem), labels));
    assertThat(colours.of(11)).isEqualTo("c0");
    assertThat(colours.of(4)).isEqualTo("c7");
    assertThat(colours.of(3)).isEqualTo("o");
    assertThat(colours.legend().values()).containsExactly("Op11", "Op10", "Op9", "Op8", "Op7", "Op6", "Op5", "Op4",
      "other operators");
  }
}
