// What runs in the page of an inspector. A front end may show one output twice: each element gets its own listeners.

/** A function of the element's id, as text. */
export const inspectorScript = `function (id) {
  document.querySelectorAll("#" + id + ":not([data-live])").forEach(function (root) {
    root.dataset.live = "";
    var columns = Array.from(root.querySelectorAll(".lines"));
    var lines = columns.map(function (column) { return Array.from(column.querySelectorAll(".line")); });
    var froms = new Map();
    lines.flat().forEach(function (line) {
      froms.set(line, line.dataset.from ? line.dataset.from.split(" ") : []);
    });
    // A line of a source is some lines of the generated text; a line of code was made of a chain of them, the innermost first.
    var isSource = columns.map(function (column) { return column.dataset.source !== undefined; });
    // How lines belong together: a line of code to the source's line that it computes, less so to the callers of that.
    function kindOf(from, source, theirs, isTheirsSource) {
      var overlap = function (a, b) { return a.some(function (line) { return b.includes(line); }); };
      if (source && isTheirsSource) return overlap(from, theirs) ? "lit" : "";
      if (source) return from.includes(theirs[0]) ? "lit" : overlap(from, theirs) ? "near" : "";
      if (isTheirsSource) return theirs.includes(from[0]) ? "lit" : overlap(from, theirs) ? "near" : "";
      if (theirs[0] !== from[0]) return "";
      return theirs.join() === from.join() ? "lit" : "near";
    }
    var chosen = null;
    var driver = null;
    var lit = [];
    function choose(line, scrolls) {
      if (line === chosen) return;
      lit.forEach(function (one) { one.classList.remove("lit", "near", "chosen"); });
      lit = [];
      chosen = line;
      if (!line) return;
      var own = columns.findIndex(function (column) { return column.contains(line); });
      var from = froms.get(line);
      line.classList.add("chosen");
      lit.push(line);
      if (from.length === 0) return;
      columns.forEach(function (column, i) {
        var first = null;
        lines[i].forEach(function (other) {
          var theirs = froms.get(other);
          var kind = kindOf(from, isSource[own], theirs, isSource[i]);
          if (!kind) return;
          other.classList.add(kind);
          lit.push(other);
          if (!first || (kind === "lit" && !first.classList.contains("lit"))) first = other;
        });
        if (scrolls && first && i !== own) reveal(column, first, line);
      });
    }
    // Beside the chosen line, unless a lit one is in view.
    function reveal(column, target, line) {
      var view = column.getBoundingClientRect();
      var seen = lit.some(function (one) {
        var box = one.getBoundingClientRect();
        return column.contains(one) && one.classList.contains("lit") && box.top >= view.top && box.bottom <= view.bottom;
      });
      if (seen) return;
      var own = line.closest(".lines").getBoundingClientRect();
      var offset = Math.min(Math.max(line.getBoundingClientRect().top - own.top, 0), view.height - 20);
      column.scrollTop += target.getBoundingClientRect().top - view.top - offset;
    }
    columns.forEach(function (column, i) {
      column.addEventListener("pointerover", function (event) {
        driver = column;
        var line = event.target.closest(".line");
        if (line && froms.get(line).length > 0) choose(line, true);
      });
      var fold = column.closest("details");
      if (fold) fold.addEventListener("toggle", function () {
        var first = lit.find(function (one) { return column.contains(one); });
        if (fold.open && first) reveal(column, first, chosen);
      });
      column.addEventListener("pointerenter", function () { driver = column; });
      column.addEventListener("focus", function () {
        driver = column;
        if (!chosen || !column.contains(chosen)) step(i, 0);
      });
      column.addEventListener("scroll", function () {
        if (driver !== column) return;
        requestAnimationFrame(function () {
          var view = column.getBoundingClientRect();
          if (chosen && column.contains(chosen)) {
            var box = chosen.getBoundingClientRect();
            if (box.bottom > view.top && box.top < view.bottom) return;
          }
          var middle = view.top + view.height / 3;
          var line = lines[i].find(function (one) {
            return froms.get(one).length > 0 && one.getBoundingClientRect().top >= middle;
          });
          if (line) choose(line, true);
        });
      });
      column.addEventListener("keydown", function (event) {
        var by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        var side = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (by) step(i, by);
        else if (side && columns[i + side]) columns[i + side].focus({ preventScroll: true });
        else if (event.key === "Escape") choose(null, false);
        else return;
        // The notebook's own keys do not apply here.
        event.preventDefault();
        event.stopPropagation();
      });
    });
    // A handle on the left edge of each column but the first divides the room of its two neighbors anew.
    var boxes = columns.map(function (column) { return column.closest(".column"); })
      .filter(function (box) { return box.tagName !== "DETAILS"; });
    var flexes = boxes.map(function (box) { return box.style.flex; });
    boxes.slice(1).forEach(function (right, i) {
      var left = boxes[i];
      var handle = document.createElement("div");
      handle.title = "Drag to widen a column; double-click to undo";
      handle.style.cssText = "position: absolute; left: -4px; top: 0; bottom: 0; width: 8px; cursor: col-resize; touch-action: none";
      right.style.position = "relative";
      right.append(handle);
      handle.addEventListener("pointerdown", function (event) {
        var sizes = boxes.map(function (box) { return box.getBoundingClientRect(); });
        // Columns below each other have the whole width.
        if (sizes[i].top !== sizes[i + 1].top) return;
        event.preventDefault();
        boxes.forEach(function (box, at) { box.style.flex = sizes[at].width + " 1 0px"; });
        handle.setPointerCapture(event.pointerId);
        handle.onpointermove = function (move) {
          var both = sizes[i].width + sizes[i + 1].width;
          var own = Math.min(Math.max(sizes[i].width + move.clientX - event.clientX, 60), both - 60);
          left.style.flexGrow = own;
          right.style.flexGrow = both - own;
        };
        handle.onpointerup = function () { handle.onpointermove = null; };
      });
      handle.addEventListener("dblclick", function () {
        boxes.forEach(function (box, at) { box.style.flex = flexes[at]; });
      });
    });
    // Chooses the next linked line of a column, or the first that is lit.
    function step(i, by) {
      var linked = lines[i].filter(function (line) { return froms.get(line).length > 0; });
      var at = linked.indexOf(chosen);
      if (at < 0) {
        at = linked.findIndex(function (line) { return line.classList.contains("lit"); });
        by = 0;
      }
      var line = linked[Math.max(0, Math.min(linked.length - 1, Math.max(at, 0) + by))];
      if (!line) return;
      driver = columns[i];
      line.scrollIntoView({ block: "nearest", inline: "nearest" });
      choose(line, true);
    }
  });
}`;
