// @ts-check
/* Values as text. */

/** Control characters would be invisible: show their pictures. @param {string} text */
export function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? "\u2421" : "\u2426";
  });
}

/** At most so many characters. @param {string} text @param {number} limit */
export function shortened(text, limit) {
  const characters = [...text];
  return characters.length > limit ? characters.slice(0, limit - 1).join("") + "…" : text;
}

/** "1 word", "2,000 words". @param {number} count @param {string} one @param {string} several */
export const plural = (count, one, several = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** What a button says that shows the next rows of a list. @param {number} left @param {number} step */
export const moreRows = (left, step) =>
  left > step ? `Show ${step} of ${left.toLocaleString("en")} more rows` : `Show ${plural(left, "more row")}`;

/** A score as it is printed. @param {number | null} value */
export const percent = (value) => {
  if (value === null) return "–";
  const shown = (100 * value).toFixed(2);
  return value < 1 - 1e-11 && shown === "100.00" ? "99.99" : shown; // as in the tables of Python
};
