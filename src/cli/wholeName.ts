/** The name of a tool as it was typed, with the part that all of them share. */
export const wholeName = (typed: string): string => (typed.startsWith("browser_") ? typed : `browser_${typed}`)
