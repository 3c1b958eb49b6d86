// Offsets count code points, strings of this language count UTF-16 units.
export class Slicer {
  constructor(text) {
    this.text = text;
    if (/[\ud800-\udbff]/.test(text)) {
      this.places = new Uint32Array([...text].length + 1);
      let place = 0, index = 0;
      for (const sign of text) {
        this.places[index++] = place;
        place += sign.length;
      }
      this.places[index] = place;
    }
  }

  cut(start, end) {
    return this.places ? this.text.slice(this.places[start], this.places[end]) : this.text.slice(start, end);
  }

  // The offset of a place in the string.
  offset(place) {
    if (!this.places) return place;
    let low = 0, high = this.places.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.places[middle] <= place) low = middle; else high = middle - 1;
    }
    return low;
  }

  // Where words stand in the text, nearest to an offset.
  nearest(words, near) {
    let best = -1, place = this.text.indexOf(words);
    const from = this.places ? this.places[near] : near;
    while (words && place >= 0) {
      if (best < 0 || Math.abs(place - from) < Math.abs(best - from)) best = place;
      if (place > from) break;
      place = this.text.indexOf(words, place + 1);
    }
    return best < 0 ? null : [this.offset(best), this.offset(best + words.length)];
  }
}
