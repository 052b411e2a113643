// The color of a text on a colored mark.

/** White or black: the one with the higher contrast to `#rrggbb`, by WCAG's relative luminance. */
export function inkOn(color: string): "#ffffff" | "#000000" {
  const part = (from: number) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
