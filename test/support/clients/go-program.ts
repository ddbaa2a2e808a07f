// A Go program that sends each request with the generated client and counts what it decoded.
import type { ApiRequest } from './api-requests.ts'

const toPascalCase = (text: string): string =>
  text
    .split(/\W+/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')

const toCase = ({ operationId, tag, params, items }: ApiRequest): string => {
  const names = Object.keys(params).map((name) => `, params["${name}"]`)
  const method = `client.${toPascalCase(tag)}API.${toPascalCase(operationId)}`
  const count = items === null ? '-1' : 'len(page.GetItems())'
  return `	case "${operationId}":
		page, _, err := ${method}(ctx${names.join('')}).Execute()
		if err != nil {
			return 0, err
		}
		_ = page
		return ${count}, nil`
}

/** `module` is the import path of the client. The arguments of the program are the base URL and the file of the requests. */
export const writeGoProgram = (module: string, requests: readonly ApiRequest[]): string => {
  const operations = new Map(requests.map((request) => [request.operationId, request]))
  return `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	rollcall "${module}"
)

type request struct {
	OperationId string            \`json:"operationId"\`
	Params      map[string]string \`json:"params"\`
	Items       *int              \`json:"items"\`
}

func call(client *rollcall.APIClient, operation string, params map[string]string) (int, error) {
	ctx := context.Background()
	switch operation {
${[...operations.values()].map(toCase).join('\n')}
	}
	return 0, fmt.Errorf("no operation %s", operation)
}

func main() {
	configuration := rollcall.NewConfiguration()
	configuration.Servers = rollcall.ServerConfigurations{{URL: os.Args[1]}}
	client := rollcall.NewAPIClient(configuration)
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	var requests []request
	if err := json.Unmarshal(text, &requests); err != nil {
		panic(err)
	}
	failures := []string{}
	for _, each := range requests {
		items, err := call(client, each.OperationId, each.Params)
		if err != nil {
			failures = append(failures, fmt.Sprintf("%s %v: %v", each.OperationId, each.Params, err))
		} else if each.Items != nil && items < *each.Items {
			failures = append(failures, fmt.Sprintf("%s %v: %d items", each.OperationId, each.Params, items))
		}
	}
	result := map[string]any{"decoded": len(requests) - len(failures), "failures": failures}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		panic(err)
	}
}
`
}
