// How numbers are written: 0.51, and 10 000 from five digits on.

/** A count, with thin spaces between groups of three digits. */
export function grouped(number) {
  const digits = String(Math.round(number));
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A mean or a share. */
export const fraction = (number) => number.toFixed(2);
