// A plain table for the sites beside the reader: competitions and ratings.
import { make } from "./dom.js";

export function table(heads, rows) {
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": heads[0] },
    make("table", {},
      make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, rows)));
}
