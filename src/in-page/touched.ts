/** Fields that were filled from here. */
const touched = new WeakSet<Element>()

export const touch = (field: Element): void => {
  touched.add(field)
}

export const isTouched = (element: Element): boolean => touched.has(element)
