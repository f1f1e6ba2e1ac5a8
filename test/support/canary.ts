/** Stands in everything that a failing server, tool or file says; it must never get into a report, a finding or a prompt. */
export const canary = 'zyxcanary';
