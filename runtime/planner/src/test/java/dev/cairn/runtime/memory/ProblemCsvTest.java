package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.GapChoice;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.PlacementOrder;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemCsvTest {
  @Test
  void readsAnyColumnOrderAndBlankLines(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("problem.csv");
    Files.writeString(file, "size, id,upper,lower\r\n10,a,3,0\n\n 20 , b , 4 , 3 \n");
    assertThat(ProblemCsv.read(file)).isEqualTo(
      MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 3)), Buffer.of("b", 20, new Lifetime(3, 4))));
  }

  @Test
  void readsWhatSpreadsheetsWrite() {
    assertThat(ProblemCsv.parse("\uFEFFid,lower,upper,size\r\na,0,3,4\r\n"))
      .isEqualTo(ProblemCsv.parse("id,lower,upper,size\na,0,3,4\n"));
  }

  @Test
  void writesWhatItReads() {
    String plain = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,0\n";
    String aligned = "id,lower,upper,size,alignment\nb1,0,3,4,1\nb2,3,9,5,4096\n";
    assertThat(ProblemCsv.write(ProblemCsv.parse(plain))).isEqualTo(plain);
    assertThat(ProblemCsv.write(ProblemCsv.parse(aligned))).isEqualTo(aligned);
    assertThat(ProblemCsv.write(MemoryProblem.of())).isEqualTo("id,lower,upper,size\n");
    assertThat(ProblemCsv.parse("id,lower,upper,size").size()).isZero();
  }

  @Test
  void whatIsKeptIsWrittenAsHeld() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("out", 4, new Lifetime(0, 1)).asOutput(),
      Buffer.of("x", 4, new Lifetime(1, 5)));
    assertThat(ProblemCsv.write(problem)).isEqualTo("id,lower,upper,size\nout,0,5,4\nx,1,5,4\n");
  }

  @Test
  void readsTheOtherColumnsOfMinimalloc() {
    MemoryProblem problem = ProblemCsv.parse("""
      start,size,offset,buffer,upper,alignment,gaps,hint
      6,18,22,1,12,2,7-9 ,
      5,15,,0,10,1,9-11 6-7 12-14,3
      """);
    assertThat(problem).isEqualTo(MemoryProblem.of(
      Buffer.of("1", 18, new Lifetime(6, 12)).withAlignment(2).exact().withGaps(List.of(new Lifetime(7, 9)))
        .withFixedOffset(22),
      Buffer.of("0", 15, new Lifetime(5, 10)).withGaps(List.of(new Lifetime(6, 7), new Lifetime(9, 10)))));
  }

  /** An offset is a multiple of the alignment; a size need not be. */
  @Test
  void sizesAreNotRoundedUpToTheAlignment() {
    MemoryProblem problem = ProblemCsv.parse("id,lower,upper,size,alignment\na,0,3,10,64\nb,1,2,3,1\n");
    assertThat(LowerBound.of(problem).bytes()).isEqualTo(13);
    MemoryPlan plan = new BestFitPlanner(PlacementOrder.SIZE, GapChoice.LOWEST).plan(problem);
    assertThat(plan.placements().stream().map(Placement::offset)).containsExactly(0L, 10L);
    assertThat(PlanScore.of(problem, plan).peakBytes()).isEqualTo(13);
    assertThat(ProblemCsv.write(problem)).isEqualTo("id,lower,upper,size,alignment\na,0,3,10,64\nb,1,2,3,1\n");
  }

  /** A problem whose sizes are rounded up is the same problem in the file. */
  @Test
  void sizesThatAreRoundedUpAreWrittenSo() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 3)).withAlignment(64));
    assertThat(ProblemCsv.write(problem)).isEqualTo("id,lower,upper,size,alignment\na,0,3,64,64\n");
  }

  @Test
  void anEndColumnIsInclusiveForLivesAndGaps() {
    assertThat(ProblemCsv.parse("begin,size,buffer_id,end,gaps\n6,18,1,11,7-8 10-10\n")).isEqualTo(MemoryProblem.of(
      Buffer.of("1", 18, new Lifetime(6, 12)).withGaps(List.of(new Lifetime(7, 9), new Lifetime(10, 11)))));
    assertThat(ProblemCsv.parse("start,size,id,end\n6,18,1,6\n").buffer(0).lifetime()).isEqualTo(new Lifetime(6, 7));
  }

  @Test
  void writesFixedOffsetsGapsAndDevicesAsItReadsThem() {
    String text = "id,lower,upper,size,gaps,device,offset\na,0,9,4,1-2 4-6,0,16\nb,3,9,0,,1,\n";
    assertThat(ProblemCsv.write(ProblemCsv.parse(text))).isEqualTo(text);
    for (long seed = 0; seed < 100; seed++) {
      MemoryProblem problem = new MemoryProblem(RandomProblems.constrained(seed).buffers());
      MemoryProblem back = ProblemCsv.parse(ProblemCsv.write(problem));
      assertThat(back.active()).as("seed %d", seed).isEqualTo(problem.active());
      assertThat(LowerBound.of(back)).as("seed %d", seed).isEqualTo(LowerBound.of(problem));
    }
  }

  @Test
  void whatTheFormatCannotCarryIsRefused() {
    MemoryProblem problem = ProblemCsv.parse("id,lower,upper,size\na,0,3,4\nb,3,9,0\n");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> ProblemCsv.write(problem.with(new Conflicts.Builder().add(0, 1).build())))
      .withMessage("planner does not support the problem's features: planner=csv features=[conflicts]");
  }

  /** Two pools of one device lie one after the other, the second aligned; the other device's begins at 0 again. */
  @Test
  void aSolvedProblemHasAnOffsetInOneArenaForEachDevice() {
    MemoryProblem problem = ProblemCsv
      .parse("id,lower,upper,size,alignment,device\na,0,3,4,1,0\nb,0,9,8,8,0\nc,0,1,5,1,1\n");
    MemoryPlan plan = new MemoryPlan("test", List.of(new Pool(4, 1), new Pool(16, 8), new Pool(5, 1, 1)),
      List.of(new Placement(0, 0), new Placement(1, 8), new Placement(2, 0)));
    assertThat(ProblemCsv.writeSolved(problem, plan)).isEqualTo("""
      id,lower,upper,size,alignment,device,offset
      a,0,3,4,1,0,0
      b,0,9,8,8,0,16
      c,0,1,5,1,1,0
      """);
    assertThatIllegalArgumentException()
      .isThrownBy(() -> ProblemCsv.writeSolved(problem, new MemoryPlan("test", List.of(), List.of())))
      .withMessage("not a plan of this problem: placements=0 buffers=3");
  }

  /** What is written as solved is read as fixed, and the only plan of that is valid. */
  @Test
  void solvedProblemsOfRandomPlansAreValidWhenReadBack() {
    for (long seed = 0; seed < 100; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      for (MemoryPlanner planner : List.of(BestFitPlanner.BY_SIZE, ReusePlanner.PLAIN, NaivePlanner.POOLS)) {
        MemoryPlan plan = planner.plan(problem);
        MemoryProblem solved = ProblemCsv.parse(ProblemCsv.writeSolved(problem, plan));
        MemoryPlan again = PlanValidator.requireValid(solved, BestFitPlanner.BY_SIZE.plan(solved));
        assertThat(again.peakBytes()).as("seed %d", seed).isGreaterThanOrEqualTo(LowerBound.of(problem).bytes());
        assertThat(ProblemCsv.writeSolved(solved, again)).isEqualTo(ProblemCsv.writeSolved(problem, plan));
      }
    }
  }

  @Test
  void randomProblemsKeepTheirBoundThroughCsv() {
    for (long seed = 0; seed < 100; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      MemoryProblem back = ProblemCsv.parse(ProblemCsv.write(problem));
      assertThat(back.held()).isEqualTo(problem.held());
      assertThat(LowerBound.of(back)).isEqualTo(LowerBound.of(problem));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "'' | columns missing: line=1",
    "id,lower,upper | columns missing: line=1 wanted=id,lower,upper,size found=id,lower,upper",
    "id,lower,upper,size,color | unknown or repeated column: line=1 column=color",
    "id,lower,upper,size,id | unknown or repeated column: line=1 column=id",
    "id,lower,upper,size/a,0,3 | bad line: line=2 text=a,0,3: cells=3 columns=4",
    "id,lower,upper,size/a,0,3,4,5 | cells=5 columns=4",
    "id,lower,upper,size/a,0,3,x | not a whole number: column=size value=x",
    "id,lower,upper,size/a,0,3,1.5 | not a whole number: column=size value=1.5",
    "id,lower,upper,size/a,0,3,9223372036854775808 | not a whole number: column=size",
    "id,lower,upper,size/a,0,2147483648,1 | out of range: column=upper value=2147483648 max=2147483647",
    "id,lower,upper,size/a,-9999999999,3,1 | out of range: column=lower",
    "id,lower,upper,size/a,0,3,1/b,5,5,1 | bad line: line=3 text=b,5,5,1: empty lifetime: first=5 end=5",
    "id,lower,upper,size/a,-1,5,1 | lifetime begins before step 0",
    "id,lower,upper,size/a,0,5,-1 | negative bytes: buffer=a bytes=-1",
    "id,lower,upper,size/,0,5,1 | buffer without a name",
    "id,lower,upper,size,alignment/a,0,5,1,3 | alignment is not a power of two: buffer=a alignment=3",
    "id,lower,upper,size,gaps/a,0,5,1,1-2-3 | not a gap of the form lower-upper: gap=1-2-3",
    "id,lower,upper,size,gaps/a,0,5,1,1-2@0:1 | not a gap of the form lower-upper: gap=1-2@0:1",
    "id,lower,upper,size,gaps/a,0,5,1,A-B | not a whole number: column=gaps value=A",
    "id,lower,upper,size,gaps/a,0,5,1,3-3 | empty lifetime: first=3 end=3",
    "id,lower,upper,size,offset/a,0,5,1,x | not a whole number: column=offset value=x",
    "id,lower,upper,size,offset/a,0,5,1,-3 | negative fixed offset: buffer=a offset=-3",
    "id,lower,upper,size,device/a,0,5,1,-3 | negative device: device=-3",
    "id,lower,upper,size,end/a,0,5,1,5 | unknown or repeated column: line=1 column=end",
    "start,size,upper/6,18,12 | columns missing",
    "id,lower,upper,size/a,0,5,1/a,1,6,2 | bad line: line=3 text=a,1,6,2: two buffers with one name: buffer=a"})
  void badTextNamesTheLine(String text, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> ProblemCsv.parse(text.replace('/', '\n')))
      .withMessageContaining(message);
  }

  @Test
  void namesThatCannotBeWrittenAreRefused() {
    for (String name : new String[] {"a,b", "a\nb", " a", "a\r"}) {
      MemoryProblem problem = MemoryProblem.of(Buffer.of(name, 1, new Lifetime(0, 1)));
      assertThatIllegalArgumentException().isThrownBy(() -> ProblemCsv.write(problem))
        .withMessage("name cannot be written as CSV: buffer=" + name);
    }
  }
}
