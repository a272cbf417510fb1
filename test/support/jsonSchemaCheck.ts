/** Checks values against JSON Schemas with the validator that MCP clients use. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv"

const validator = new AjvJsonSchemaValidator()

/** What is wrong with a value; nothing: it conforms. */
export const jsonSchemaCheck = (schema: object): ((value: unknown) => ReadonlyArray<string>) => {
  const validate = validator.getValidator(schema)
  return (value) => {
    const outcome = validate(value)
    return outcome.valid ? [] : [outcome.errorMessage]
  }
}
