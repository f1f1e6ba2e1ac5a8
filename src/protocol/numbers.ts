/** Arguments lie on the stack: `Math.max(...numbers)` throws for more than some 120,000 of them. */
export function largest(numbers: Iterable<number>, least = 0): number {
  let found = least;
  for (const number of numbers) if (number > found) found = number;
  return found;
}

export function smallest(numbers: Iterable<number>, most = Infinity): number {
  let found = most;
  for (const number of numbers) if (number < found) found = number;
  return found;
}
