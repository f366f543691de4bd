package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    "id,lower,upper,size/a,0,5,1/a,0,5,1 | two buffers with one name: buffer=a"})
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
