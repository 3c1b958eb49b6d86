// Exports of reference managers (BibTeX, RIS) beside the files they speak of: titles and keywords of what is added.
const LARGEST = 5_000_000; // characters of such an export

export const isReferences = (file) => /\.(bib|ris)$/i.test(file.name);

// The name of a file -> its title and tags, as the export says.
export async function readReferences(files) {
  const found = new Map();
  for (const file of files) {
    const text = (await file.text()).slice(0, LARGEST);
    for (const { title, tags, paths } of /\.ris$/i.test(file.name) ? ris(text) : bibtex(text)) for (const path of paths) found.set(baseName(path), { title: title.slice(0, 200), tags: tags.map((tag) => tag.trim().slice(0, 40)).filter(Boolean).slice(0, 20) });
  }
  return found;
}

export const baseName = (path) => path.split(/[\\/]/).pop().toLowerCase();

function* ris(text) {
  let entry = { title: "", tags: [], paths: [] };
  for (const line of text.split(/\r?\n/)) {
    const [, tag, value] = /^([A-Z][A-Z0-9]) {2}- ?(.*)$/.exec(line) ?? [];
    if (tag === "TY") entry = { title: "", tags: [], paths: [] };
    if (["TI", "T1"].includes(tag)) entry.title = value;
    if (tag === "KW") entry.tags.push(value);
    if (/^L[1-4]$/.test(tag)) entry.paths.push(...value.split(";"));
    if (tag === "ER") yield entry;
  }
}

function* bibtex(text) {
  for (const start of text.matchAll(/@\w+\s*\{[^,{}]*,/g)) {
    const fields = {};
    const field = /\s*(\w+)\s*=\s*/y;
    field.lastIndex = start.index + start[0].length;
    for (let match = field.exec(text); match; match = field.exec(text)) {
      const [value, end] = valueAt(text, field.lastIndex);
      fields[match[1].toLowerCase()] = value;
      field.lastIndex = end + /^\s*,?/.exec(text.slice(end, end + 200))[0].length;
    }
    // Zotero writes "name:path:type;…", JabRef ":path:type", others a path.
    const paths = (fields.file ?? "").split(/(?<!\\);/).flatMap((one) => one.split(/(?<!\\):/)).filter((one) => /\.\w{2,5}$/.test(one));
    yield { title: plainTitle(fields.title ?? ""), tags: (fields.keywords ?? "").split(/[,;]/), paths };
  }
}

const ACCENTS = { '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303" };

const plainTitle = (text) => text.replace(/\\(["'`^~])\s*\{?(\p{L})\}?/gu, (_, accent, letter) => letter + ACCENTS[accent]).normalize("NFC").replace(/[{}]/g, "").replace(/\\(?=[&%$#_])/g, "");

// A value in braces or quotation marks, or a bare word; and where it ends.
function valueAt(text, at) {
  const open = text[at];
  if (open !== "{" && open !== '"') { const bare = /[^,}\s]*/y; bare.lastIndex = at; return [bare.exec(text)[0], bare.lastIndex]; }
  for (let depth = 0, place = at; place < text.length; place++) {
    if (text[place] === "\\") place += 1;
    else if (text[place] === "{") depth += 1;
    else if (text[place] === "}") depth -= 1;
    if (open === "{" ? depth === 0 : place > at && text[place] === '"' && depth === 0) return [text.slice(at + 1, place).replace(/\s+/g, " "), place + 1];
  }
  return ["", text.length];
}
