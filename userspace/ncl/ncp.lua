-- SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
-- ncp.lua - dissector for NCP, the net compute protocol, in Wireshark and tshark. The protocol is
-- called "nclp" there, because their "ncp" is NetWare's.
--
-- 	tshark -X lua_script:ncp.lua -r FILE -Y 'nclp.kernel == 1'
--
-- To see the names of a program's kernels, nodes, fields and arguments, set the preference
-- nclp.program to the path of its description (tshark -o nclp.program:PROG.ncd).

local MAGIC, VERSION, PORT, HEADER = 0x4c43, 1, 20812, 28
local CTRL_PORT, CTRL, CTRL_HEADER = 20813, 0x40, 96

local ncp = Proto("nclp", "Net Compute Protocol")

local FLAGS = {
	{ 0x01, "reply", "Reply" }, { 0x02, "ack", "Acknowledgement" },
	{ 0x04, "want_ack", "Acknowledgement wanted" }, { 0x08, "again", "Sent again" },
	{ 0x10, "last", "Last window" }, { 0x20, "answer", "Answer of a program" },
	{ 0x40, "ctrl", "Request for a variable" },
}

local f = ncp.fields
f.magic = ProtoField.uint16("nclp.magic", "Magic", base.HEX)
f.version = ProtoField.uint8("nclp.version", "Version")
f.flags = ProtoField.uint8("nclp.flags", "Flags", base.HEX)
for _, flag in ipairs(FLAGS) do
	f["flag_" .. flag[2]] = ProtoField.bool("nclp.flags." .. flag[2], flag[3], 8, nil, flag[1])
end
f.program = ProtoField.uint16("nclp.program", "Program", base.HEX)
f.kernel = ProtoField.uint16("nclp.kernel", "Kernel")
f.from = ProtoField.uint16("nclp.from", "From")
f.to = ProtoField.uint16("nclp.to", "To")
f.len = ProtoField.uint16("nclp.len", "Elements")
f.size = ProtoField.uint16("nclp.size", "Size")
f.seq = ProtoField.uint32("nclp.seq", "Window")
f.invocation = ProtoField.uint32("nclp.invocation", "Invocation")
f.origin = ProtoField.uint16("nclp.origin", "Origin of the broadcast")
f.pad = ProtoField.uint16("nclp.pad", "Padding", base.HEX)
f.data = ProtoField.bytes("nclp.data", "Data")
f.value = ProtoField.string("nclp.value", "Value")
f.session = ProtoField.uint64("nclp.ctrl.session", "Session")
f.index = ProtoField.uint64("nclp.ctrl.index", "First element")
f.count = ProtoField.uint32("nclp.ctrl.count", "Elements")
f.error = ProtoField.uint32("nclp.ctrl.error", "Error")
f.bytes = ProtoField.uint16("nclp.ctrl.size", "Bytes of an element")
f.key_size = ProtoField.uint16("nclp.ctrl.key_size", "Bytes of a key")
f.what = ProtoField.uint8("nclp.ctrl.what", "Operation", base.DEC,
	{ [0] = "read", "write", "get", "put", "delete" })
f.variable = ProtoField.string("nclp.ctrl.variable", "Variable")

local bad_version = ProtoExpert.new("nclp.version.unknown", "Version is not known",
	expert.group.PROTOCOL, expert.severity.WARN)
local bad_size = ProtoExpert.new("nclp.size.wrong", "Size is not that of the datagram",
	expert.group.MALFORMED, expert.severity.ERROR)
ncp.experts = { bad_version, bad_size }

ncp.prefs.program = Pref.string("Description", "", "Path of PROG.ncd, for the program's names")

-- The description: program.kernel[id] = { name =, size =, args = { { name, type, count, offset } } }
local program

local function read_description(path)
	local p = { kernel = {}, node = {}, field = {} }
	local file = io.open(path)

	if not file then return nil end
	for line in file:lines() do
		local w = {}
		for word in line:gmatch("%S+") do w[#w + 1] = word end
		if w[1] == "program" then
			p.name, p.hash = w[2], tonumber(w[3], 16)
		elseif w[1] == "node" then
			p.node[tonumber(w[2])] = w[3]
		elseif w[1] == "field" then
			p.field[#p.field + 1] = { w[2], w[3], 0, tonumber(w[4]) }
		elseif w[1] == "kernel" then
			p.kernel[tonumber(w[2])] = { name = w[3], args = {} }
		elseif w[1] == "arg" and w[7] ~= "ext" then
			local args = p.kernel[tonumber(w[2])].args
			args[#args + 1] = { w[3], w[4], tonumber(w[5]), tonumber(w[6]) }
		end
	end
	file:close()
	return p
end

function ncp.prefs_changed()
	program = ncp.prefs.program ~= "" and read_description(ncp.prefs.program) or nil
end

-- By type name: the size of an element, and a function that reads an element
local TYPES = {
	i8 = { 1, function(b) return b:le_int() end }, u8 = { 1, function(b) return b:le_uint() end },
	i16 = { 2, function(b) return b:le_int() end }, u16 = { 2, function(b) return b:le_uint() end },
	i32 = { 4, function(b) return b:le_int() end }, u32 = { 4, function(b) return b:le_uint() end },
	i64 = { 8, function(b) return tostring(b:le_int64()) end },
	u64 = { 8, function(b) return tostring(b:le_uint64()) end },
	f32 = { 4, function(b) return b:le_float() end }, f64 = { 8, function(b) return b:le_float() end },
	bool = { 1, function(b) return tostring(b:le_uint() ~= 0) end },
}

local function add_value(tree, data, item)
	local name, kind, count, offset = item[1], item[2], item[3], item[4]
	local how = TYPES[kind] or { tonumber(kind:match("^bytes(%d+)$") or 1),
		function(b) return tostring(b:bytes()) end }
	local n, text = math.max(count, 1), {}

	if offset + n * how[1] > data:len() then return end
	for i = 0, n - 1 do
		text[#text + 1] = tostring(how[2](data(offset + i * how[1], how[1])))
	end
	local range = data(offset, n * how[1])
	tree:add(f.value, range, table.concat(text, " ")):set_text(
		name .. " (" .. kind .. (count > 0 and "[" .. count .. "]" or "") .. "): " ..
		table.concat(text, " "))
end

local function named(item, names, id)
	local name = names and names[id]

	if name then item:append_text(" (" .. name .. ")") end
	return name or tostring(id)
end

local function add_header(tree, buf, p)
	tree:add_le(f.magic, buf(0, 2))
	local version = tree:add(f.version, buf(2, 1))
	if buf(2, 1):uint() ~= VERSION then version:add_proto_expert_info(bad_version) end
	local flags = tree:add(f.flags, buf(3, 1))
	for _, flag in ipairs(FLAGS) do flags:add(f["flag_" .. flag[2]], buf(3, 1)) end
	local hash = tree:add_le(f.program, buf(4, 2))
	if p then hash:append_text(" (" .. p.name .. ")") end
	local kernel = buf(6, 2):le_uint()
	local item = tree:add_le(f.kernel, buf(6, 2))
	if p and p.kernel[kernel] then item:append_text(" (" .. p.kernel[kernel].name .. ")") end
	local from = named(tree:add_le(f.from, buf(8, 2)), p and p.node, buf(8, 2):le_uint())
	local to = named(tree:add_le(f.to, buf(10, 2)), p and p.node, buf(10, 2):le_uint())
	tree:add_le(f.len, buf(12, 2))
	local size = tree:add_le(f.size, buf(14, 2))
	if buf(14, 2):le_uint() ~= buf:len() - HEADER then size:add_proto_expert_info(bad_size) end
	tree:add_le(f.seq, buf(16, 4))
	tree:add_le(f.invocation, buf(20, 4))
	named(tree:add_le(f.origin, buf(24, 2)), p and p.node, buf(24, 2):le_uint())
	tree:add_le(f.pad, buf(26, 2))
	return kernel, from, to
end

local function summary(buf, name, from, to)
	local flags, set = buf(3, 1):uint(), ""

	for _, flag in ipairs(FLAGS) do
		if bit.band(flags, flag[1]) ~= 0 then set = set .. " " .. flag[2]:upper() end
	end
	return string.format("%s %s > %s invocation %u window %u%s", name, from,
		to == "0" and "any" or to, buf(20, 4):le_uint(), buf(16, 4):le_uint(), set)
end

-- A request for a variable, or its answer
local function add_ctrl(tree, buf, pinfo, from, to)
	tree:add_le(f.session, buf(28, 8))
	tree:add_le(f.index, buf(36, 8))
	tree:add_le(f.count, buf(44, 4))
	tree:add_le(f.error, buf(48, 4))
	tree:add_le(f.bytes, buf(52, 2))
	tree:add_le(f.key_size, buf(54, 2))
	tree:add(f.what, buf(56, 1))
	tree:add(f.variable, buf(60, 64), buf(60, 64):stringz())
	if buf:len() > HEADER + CTRL_HEADER then tree:add(f.data, buf(HEADER + CTRL_HEADER)) end
	pinfo.cols.info = string.format("%s %s > %s request %d%s", buf(60, 64):stringz(), from, to,
		buf(16, 4):le_uint(), bit.band(buf(3, 1):uint(), 0x20) ~= 0 and " ANSWER" or "")
end

function ncp.dissector(buf, pinfo, root)
	if buf:len() < HEADER or buf(0, 2):le_uint() ~= MAGIC then return 0 end
	local p = program and program.hash == buf(4, 2):le_uint() and program or nil
	local tree = root:add(ncp, buf())
	local kernel, from, to = add_header(tree, buf, p)
	local k = p and p.kernel[kernel]

	pinfo.cols.protocol = "NCP"
	if bit.band(buf(3, 1):uint(), CTRL) ~= 0 and buf:len() >= HEADER + CTRL_HEADER then
		add_ctrl(tree, buf, pinfo, from, to)
		return buf:len()
	end
	pinfo.cols.info = summary(buf, k and k.name or "kernel " .. kernel, from, to)
	if buf:len() == HEADER then return buf:len() end
	local data = buf(HEADER):tvb()
	local sub = tree:add(f.data, buf(HEADER))
	if k then
		for _, item in ipairs(p.field) do add_value(sub, data, item) end
		for _, item in ipairs(k.args) do add_value(sub, data, item) end
	end
	return buf:len()
end

DissectorTable.get("udp.port"):add(PORT, ncp)
DissectorTable.get("udp.port"):add(CTRL_PORT, ncp)
