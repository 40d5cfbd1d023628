/* Sets the reading settings of this device on <html> before anything is painted. Not a module: modules wait. */
(function () {
  "use strict";
  try {
    var kept = JSON.parse(window.localStorage.getItem("wordtable.reading") || "{}");
    ["text", "spacing", "motion", "colours"].forEach(function (name) {
      if (typeof kept[name] === "string" && kept[name]) document.documentElement.dataset[name] = kept[name];
    });
  } catch (error) {
    /* No storage (private window, full disk): the page simply starts with its defaults. */
  }
})();
