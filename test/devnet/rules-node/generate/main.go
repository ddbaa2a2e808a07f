// Command generate writes the Go code of proto/ into gen/, with the imports' descriptors from the modules of go.mod.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	_ "github.com/cometbft/cometbft/version"
	_ "github.com/cosmos/cosmos-proto"
	_ "github.com/cosmos/cosmos-sdk/version"
	_ "github.com/cosmos/gogoproto/gogoproto"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const module = "rollcall.test/rules-node/"

// Where each module keeps the files that proto/ imports.
var imports = map[string]string{
	"github.com/cosmos/cosmos-sdk":   "proto",
	"github.com/cosmos/cosmos-proto": "proto",
	"github.com/cosmos/gogoproto":    ".",
	"github.com/cometbft/cometbft":   "proto",
}

var options = strings.Join([]string{
	"plugins=grpc",
	"Mgoogle/protobuf/any.proto=github.com/cosmos/gogoproto/types/any",
}, ",")

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate() error {
	paths, err := importPaths()
	if err != nil {
		return err
	}
	files, err := findFiles("proto")
	if err != nil {
		return err
	}
	resolver := &protocompile.SourceResolver{ImportPaths: paths}
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(resolver)}
	compiled, err := compiler.Compile(context.Background(), files...)
	if err != nil {
		return err
	}
	// The plugin writes one package at a time.
	packages := map[string]*pluginpb.CodeGeneratorRequest{}
	for _, file := range compiled {
		name := filepath.Dir(file.Path())
		if packages[name] == nil {
			packages[name] = &pluginpb.CodeGeneratorRequest{Parameter: &options}
		}
		request := packages[name]
		request.FileToGenerate = append(request.FileToGenerate, file.Path())
		request.ProtoFile = appendWithImports(request.ProtoFile, file)
	}
	for _, request := range packages {
		if err := writeAnswer(request); err != nil {
			return err
		}
	}
	return nil
}

func importPaths() ([]string, error) {
	paths := []string{"proto"}
	for name, dir := range imports {
		root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", name).Output()
		if err != nil {
			return nil, fmt.Errorf("module %s: %w", name, err)
		}
		paths = append(paths, filepath.Join(strings.TrimSpace(string(root)), dir))
	}
	return paths, nil
}

func findFiles(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".proto" {
			files = append(files, strings.TrimPrefix(path, root+"/"))
		}
		return err
	})
	return files, err
}

// Plugins expect a file after all those that it imports, and once.
func appendWithImports(
	to []*descriptorpb.FileDescriptorProto, file protoreflect.FileDescriptor,
) []*descriptorpb.FileDescriptorProto {
	for _, known := range to {
		if known.GetName() == file.Path() {
			return to
		}
	}
	for index := range file.Imports().Len() {
		to = appendWithImports(to, file.Imports().Get(index).FileDescriptor)
	}
	return append(to, protodesc.ToFileDescriptorProto(file))
}

func writeAnswer(request *pluginpb.CodeGeneratorRequest) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	plugin := exec.Command("go", "tool", "protoc-gen-gocosmos")
	plugin.Stdin, plugin.Stderr = bytes.NewReader(input), os.Stderr
	output, err := plugin.Output()
	if err != nil {
		return err
	}
	answer := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(output, answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("protoc-gen-gocosmos: %s", answer.GetError())
	}
	for _, file := range answer.File {
		path := strings.TrimPrefix(file.GetName(), module)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
