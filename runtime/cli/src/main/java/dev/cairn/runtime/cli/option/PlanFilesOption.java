package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.report.plan.PageFacts;
import dev.cairn.runtime.report.plan.PictureSize;
import dev.cairn.runtime.report.plan.PlanCsv;
import dev.cairn.runtime.report.plan.PlanJson;
import dev.cairn.runtime.report.plan.PlanPage;
import dev.cairn.runtime.report.plan.PlanPicture;
import dev.cairn.runtime.report.plan.PlanView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a plan is written to, as figures and as a picture. */
@HelpSection.In(HelpSection.OUTPUT)
public final class PlanFilesOption {
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--export", paramLabel = "FILE", converter = PlanFile.Converter.class,
    description = "Write the plan: .csv (MiniMalloc's columns and an offset) or .json (pools, buffers, owners).")
  private @Nullable PlanFile export;

  @HelpSection.Common
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--html", paramLabel = "FILE",
    description = "Write a self-contained HTML page with a drawing of the plan, with zoom and search.")
  private @Nullable Path html;

  @HelpSection.Common
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--svg", paramLabel = "FILE", description = "Write a drawing of the plan: time across, address up.")
  private @Nullable Path svg;

  /** Writes those that were asked for, and names them. */
  public List<Path> write(PlanView view, PageFacts facts) throws IOException {
    List<Path> written = new ArrayList<>();
    if (export != null && export.json()) {
      WholeFile.write(export.path(), out -> PlanJson.write(view, out));
      written.add(export.path());
    } else if (export != null) {
      WholeFile.write(export.path(), PlanCsv.text(view));
      written.add(export.path());
    }
    if (html != null) {
      WholeFile.write(html, PlanPage.html(view, facts));
      written.add(html);
    }
    if (svg != null) {
      WholeFile.write(svg, PlanPicture.svg(view, PictureSize.ALONE));
      written.add(svg);
    }
    return List.copyOf(written);
  }
}
